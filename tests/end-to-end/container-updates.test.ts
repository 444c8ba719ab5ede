/** Newer images of servers, with a real engine and registry: offered, taken and given back by will only. */
import { randomBytes } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openContainerServices } from '../support/container-services.ts';
import { startForwarder } from '../support/forwarder.ts';
import { manage, readServer, replaceTools } from '../support/manager-api.ts';
import { openSession } from '../support/mcp-client.ts';
import { provision } from '../support/provisioning.ts';
import type { RunningService } from '../support/run-service.ts';
import { startTaggedImage, type TaggedImage } from '../support/tagged-image.ts';
import { waitUntil } from '../support/wait-until.ts';

const test = suite('newer images of servers in containers');
const services = await openContainerServices();
const withEngine = services ? test : test.skip;
let service: RunningService;
let image: TaggedImage;

test.before(async () => {
  if (!services) return;
  image = await startTaggedImage(services.docker, `mcp/upd-${randomBytes(4).toString('hex')}`);
  service = await services.run();
});

test.after(async () => {
  await services?.close();
  await image?.close();
});

const name = (base: string) => services?.name(base) ?? base;
const containerOf = async (server: string) => (await services?.containersOf(server)) ?? [];

/** Provisioned from the image `memory` under a tag of the test's own. */
async function memoryServer(base: string): Promise<string> {
  const server = name(base);
  await image.push('memory');
  const { status, body } = await provision(service, { name: server, image: image.reference });
  assert.is(status, 201, JSON.stringify(body));
  return server;
}

const post = (path: string, body: object = {}) => send(path, body, {});

async function send(path: string, body: object, headers: Record<string, string>) {
  const answer = await fetch(`${service.managerUrl}/api/servers/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  return { status: answer.status, text, body: text.startsWith('{') ? JSON.parse(text) : undefined };
}

withEngine(
  'a newer image of the tag is offered, not taken: by its registry when asked, by this engine at once',
  async () => {
    const server = await memoryServer('offered');
    const [before] = await containerOf(server);
    const current = await post(`${server}/update`, { check: true });
    assert.is(current.body.update_available, undefined, current.text);

    await image.push('everything');
    const { body } = await post(`${server}/update`, { check: true });

    const { update_available: offer, tool_count } = await readServer(service, server);
    assert.equal(offer, body.update_available);
    assert.is(offer.reference, image.reference);
    assert.is.not(offer.old_digest, offer.new_digest);
    assert.match(offer.new_digest, /^sha256:[0-9a-f]{64}$/);
    assert.is(tool_count, 9);
    await image.push('memory');
    await post(`${server}/update`, { check: true });
    assert.is((await readServer(service, server)).update_available, undefined);

    await image.tagLocally('everything');
    await manage(service, 'POST', `/api/servers/${server}/restart`);
    await waitUntil('it is offered', async () => (await readServer(service, server)).update_available);
    assert.is((await readServer(service, server)).tool_count, 9);
    assert.equal(
      (await containerOf(server)).map(({ id }) => id),
      [before?.id],
    );
  },
);

withEngine('update and rollback change the tools, without a moment in which none answers', async () => {
  const server = await memoryServer('there-and-back');
  await replaceTools(service, 'svc-global', [`${server}__read_graph`]);
  await image.push('everything');

  const tried = await post(`${server}/update`, { dry_run: true });
  assert.is(tried.status, 200, tried.text);
  assert.is(tried.body.dry_run, true);
  assert.ok(tried.body.tools.added.includes(`${server}__echo`));
  assert.is((await readServer(service, server)).tool_count, 9);
  await waitUntil('the one that was tried out is gone', async () => (await containerOf(server)).length === 1);

  const { text } = await send(`${server}/update`, {}, { accept: 'text/event-stream' });
  const steps = [...text.matchAll(/^event: (.*)\ndata: (.*)$/gm)].map(([, type, data = '']) => {
    const { step } = JSON.parse(data);
    return step === undefined ? type : `${type} ${step}`;
  });
  assert.equal(
    [...new Set(steps)],
    ['step pull', 'step start', 'step ready', 'step compare', 'step swap', 'done'],
  );
  const done = JSON.parse(text.split('event: done\ndata: ')[1] ?? '{}');
  assert.ok(done.tools.removed.includes(`${server}__read_graph`));
  assert.equal(done.affected_groups, { 'svc-global': [`${server}__read_graph`] });
  assert.equal([done.old_digest, done.new_digest], [tried.body.old_digest, tried.body.new_digest]);
  const updated = await readServer(service, server);
  assert.equal([updated.tool_count, updated.update_available], [done.tool_count, undefined]);
  assert.is(updated.previous_image.digest, done.old_digest);
  await replaceTools(service, 'svc-global', [`${server}__echo`]);
  const session = await openSession(service.groupUrl());
  const { body: call } = await session.request('tools/call', {
    name: `${server}__echo`,
    arguments: { message: 'new' },
  });
  assert.equal(call.result.content, [{ type: 'text', text: 'Echo: new' }]);
  assert.is((await post(`${server}/update`)).body.unchanged, true);

  const back = await post(`${server}/rollback`);
  assert.is(back.status, 200, back.text);
  assert.equal([back.body.tool_count, back.body.new_digest], [9, done.old_digest]);
  const after = await readServer(service, server);
  assert.equal([after.tool_count, after.update_available.new_digest], [9, done.new_digest]);
  await waitUntil('there is one container', async () => (await containerOf(server)).length === 1);
});

withEngine('after a restart of the service it is still the image that was chosen', async () => {
  const server = await memoryServer('chosen');
  await image.push('everything');
  await post(`${server}/update`);
  await post(`${server}/rollback`);
  const [before] = await containerOf(server);

  await service.restart();
  await waitUntil('it runs', async () => (await readServer(service, server))?.status === 'running');

  assert.is((await readServer(service, server)).tool_count, 9);
  await manage(service, 'POST', `/api/servers/${server}/restart`);
  assert.is((await readServer(service, server)).tool_count, 9);
  assert.equal(
    (await containerOf(server)).map(({ id }) => id),
    [before?.id],
  );
});

withEngine('the image before outlives tidying up, and is gone for good only with the server', async () => {
  const server = await memoryServer('tidied');
  await image.push('everything');
  const { body } = await post(`${server}/update`);
  const previous = await services?.docker
    .getImage(`${image.reference.replace(/:1$/, '')}@${body.old_digest}`)
    .inspect();
  const isKept = (tag: string) => tag.startsWith('svc-mcp-kept/') && tag.includes(`/${server}:`);
  const kept = previous?.RepoTags.find(isKept);
  assert.ok(kept, `${previous?.RepoTags}`);

  await services?.docker.getImage(kept).remove();
  const back = await post(`${server}/rollback`);
  assert.is(back.status, 200, back.text);
  assert.is(back.body.tool_count, 9);

  await manage(service, 'DELETE', `/api/servers/${server}`);
  const tags = (await services?.docker.listImages())?.flatMap(({ RepoTags }) => RepoTags ?? []) ?? [];
  assert.equal(tags.filter(isKept), []);
});

withEngine(
  'an image that does not start, and a registry that is away, leave the old one serving',
  async () => {
    const server = await memoryServer('failing');
    const [before] = await containerOf(server);
    await image.push('broken');

    const failed = await post(`${server}/update`);

    assert.is(failed.status, 422, failed.text);
    assert.equal([failed.body.details.step, failed.body.details.exit_code], ['ready', 3]);
    await waitUntil('only the old one is there', async () => {
      const ids = (await containerOf(server)).map(({ id }) => id);
      return ids.length === 1 && ids[0] === before?.id;
    });
    const { tool_count, status, previous_image } = await readServer(service, server);
    assert.equal([tool_count, status, previous_image], [9, 'running', undefined]);

    const none = await post(`${server}/rollback`);
    assert.equal([none.status, none.body.code], [409, 'conflict']);
  },
);

withEngine('a registry that is away is told, and keeps nobody from going back', async () => {
  const registry = await startForwarder(image.registry);
  const server = name('away');
  await image.push('memory');
  const reference = image.reference.replace(image.registry, registry.address);
  await provision(service, { name: server, image: reference });
  await image.push('everything');
  const updated = await post(`${server}/update`);
  assert.is(updated.status, 200, updated.text);
  await registry.close();

  const check = await post(`${server}/update`, { check: true });
  assert.equal([check.status, check.body.details.step], [502, 'pull']);
  const back = await post(`${server}/rollback`);

  assert.is(back.status, 200, back.text);
  assert.is(back.body.tool_count, 9);
});

test.run();
