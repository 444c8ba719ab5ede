/**
 * What servers keep in their containers, through everything that claims to change nothing: an image's volume, a volume of
 * the config, and a file in the writable layer. The real service, engine and images.
 */
import { utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openContainerServices } from '../support/container-services.ts';
import { imageWithVolume } from '../support/images-with-volumes.ts';
import { manage, readServer, replaceTools } from '../support/manager-api.ts';
import { openSession, type PlainSession } from '../support/mcp-client.ts';
import { provision, register } from '../support/provisioning.ts';
import type { RunningService } from '../support/run-service.ts';
import { waitUntil } from '../support/wait-until.ts';

const test = suite('what servers keep in containers, from outside');
const services = await openContainerServices();
const withEngine = services ? test : test.skip;
const name = (base: string) => services?.name(base) ?? base;
// Nobody has pushed it, and the registry of the test bed is asked alone.
const repository = `127.0.0.1:5555/svc-test/${name('data')}`;
const plain = `${repository}-plain:1`;
const withVolume = `${repository}-volume:1`;

/** By what holds its data. */
const documents: Readonly<Record<string, Record<string, unknown>>> = {
  image: { image: withVolume },
  config: { image: plain, volumes: [{ path: '/data' }] },
  layer: { image: plain },
};
const kinds = Object.keys(documents);
let service: RunningService;
let session: PlainSession;

const document = (kind: string, changes: object = {}) => {
  return { name: name(kind), transport: 'stdio' as const, image: plain, ...documents[kind], ...changes };
};
const containerOf = async (kind: string) => {
  const [found, ...others] = (await services?.containersOf(name(kind))) ?? [];
  assert.equal(others, [], `one container of ${kind}`);
  return found;
};
const idOf = async (kind: string) => (await containerOf(kind))?.id;
const call = async (kind: string, tool: string, args: object = {}) => {
  const { body } = await session.request('tools/call', { name: `${name(kind)}__${tool}`, arguments: args });
  return body.result ?? body;
};
const entitiesOf = async (kind: string) => {
  const { structuredContent, ...rest } = await call(kind, 'read_graph');
  if (structuredContent === undefined) throw new Error(JSON.stringify(rest));
  return structuredContent.entities.map((entity: { name: string }) => entity.name);
};
const makeImages = async (label: string) => {
  if (!services) return;
  const { docker } = services;
  await imageWithVolume(docker, 'memory', `${repository}-volume`, { label });
  await imageWithVolume(docker, 'memory', `${repository}-plain`, { label, path: '' });
};

/** Nothing lost, nothing made anew, tools listed. */
async function assertKept(what: string, ids: Readonly<Record<string, string | undefined>>): Promise<void> {
  for (const kind of kinds) {
    assert.is(await idOf(kind), ids[kind], `${what}: the container of ${kind}`);
    assert.equal(await entitiesOf(kind), [`of ${kind}`], `${what}: the data of ${kind}`);
    assert.is((await readServer(service, name(kind))).tool_count, 9, what);
  }
}

const allIds = async () =>
  Object.fromEntries(await Promise.all(kinds.map(async (kind) => [kind, await idOf(kind)])));

test.before(async () => {
  if (!services) return;
  await makeImages('first');
  service = await services.run();
  for (const kind of kinds) {
    const { status, body } = await register(service, document(kind));
    assert.is(status, 201, JSON.stringify(body));
  }
  await replaceTools(
    service,
    'svc-global',
    kinds.flatMap((kind) => ['read_graph', 'create_entities'].map((tool) => `${name(kind)}__${tool}`)),
  );
  session = await openSession(service.groupUrl());
  for (const kind of kinds) {
    const entity = { name: `of ${kind}`, entityType: 'test', observations: [] };
    await call(kind, 'create_entities', { entities: [entity] });
  }
});

test.after(async () => {
  await services?.close();
  const images = (await services?.docker.listImages()) ?? [];
  const ours = images.flatMap(({ RepoTags: tags }) => tags ?? []).filter((tag) => tag.includes(name('data')));
  for (const tag of ours) await services?.docker.getImage(tag).remove({ force: true });
});

withEngine('each volume is the server’s, and the record says what is kept', async () => {
  const labelled = { filters: { label: ['svc-mcp.server'] } };
  const { Volumes: volumes } = (await services?.docker.listVolumes(labelled)) ?? { Volumes: [] };
  const owners = volumes.map(({ Labels }) => Labels['svc-mcp.server']);
  assert.ok(owners.includes(name('image')) && owners.includes(name('config')));
  for (const { Name } of volumes.filter(({ Labels }) => Labels['svc-mcp.server'] === name('image'))) {
    assert.match(Name, new RegExp(`^svc-mcp-${name('image')}-[0-9a-f]{8}$`));
  }
});

withEngine('registered again, over HTTP and by `svc-mcp register`: the very containers', async () => {
  const ids = await allIds();
  for (const kind of kinds) {
    const { status, body } = await register(service, document(kind));
    assert.is(status, 200, JSON.stringify(body));
    assert.is(body.outcome, 'unchanged');
  }
  await assertKept('registered again', ids);

  for (const kind of kinds) {
    const file = join(service.configsDir, `${name(kind)}.json`);
    const { code, stdout, stderr } = await service.cli(['register', '-c', file]);
    assert.is(code, 0, stderr);
    assert.match(stdout, 'was registered like this already');
  }
  await assertKept('svc-mcp register', ids);
});

withEngine('registered again while stopped: the very containers, started', async () => {
  const ids = await allIds();
  for (const kind of kinds) {
    await services?.docker.getContainer(ids[kind] ?? '').stop({ t: 1 });
    await waitUntil('it is shown', async () => (await readServer(service, name(kind))).status === 'exited');
    await register(service, document(kind));
    assert.is((await containerOf(kind))?.state, 'running');
  }
  await assertKept('stopped and registered', ids);
});

withEngine('an unchanged file that is touched, or written anew', async () => {
  const ids = await allIds();
  for (const kind of kinds) {
    const file = join(service.configsDir, `${name(kind)}.json`);
    utimesSync(file, new Date(), new Date());
    writeFileSync(file, JSON.stringify(document(kind)));
  }
  await manage(service, 'POST', `/api/servers/${name('image')}/restart`);
  await assertKept('touched', ids);
});

withEngine('a newer image under the tag, another server of the tag, and a restart of each', async () => {
  const ids = await allIds();
  await makeImages('second');
  for (const kind of kinds) await register(service, document(kind));
  await assertKept('a newer image, registered again', ids);

  for (const image of [plain, withVolume]) {
    const { status, body } = await provision(service, { name: name('other'), image });
    assert.is(status, 201, JSON.stringify(body));
    await manage(service, 'DELETE', `/api/servers/${name('other')}`);
  }
  await assertKept('another server of the tag', ids);

  for (const kind of kinds) await manage(service, 'POST', `/api/servers/${name(kind)}/restart`);
  await assertKept('restarted', ids);
});

withEngine('restarts of the service, asked for and by kill -9', async () => {
  const ids = await allIds();
  await service.restart();
  await assertKept('restarted', ids);
  await service.kill9();
  await service.restart();
  await assertKept('killed', ids);
});

withEngine('a container that somebody removed: its volumes are there, its image is the same', async () => {
  const ids = await allIds();
  const before = await services?.docker.getContainer(ids.image ?? '').inspect();
  await services?.docker.getContainer(ids.image ?? '').remove({ force: true, v: true });

  const entities = await waitUntil('it answers', () => entitiesOf('image').catch(() => undefined));

  assert.equal(entities, ['of image']);
  const after = await services?.docker.getContainer((await idOf('image')) ?? '').inspect();
  assert.is(after?.Image, before?.Image, 'not what its tag names by now');
});

withEngine('what only the layer holds is lost only when somebody said so', async () => {
  const ids = await allIds();
  const changed = document('layer', { env: { EXTRA: 'value' }, replace: true });

  const refused = await register(service, changed);
  assert.is(refused.status, 409);
  assert.is(refused.body.code, 'data_at_risk');
  assert.equal(refused.body.details.paths, ['/data/memory.json']);
  assert.match(refused.body.error, '"discard_data": true');
  await assertKept('refused', ids);

  const file = join(service.configsDir, `${name('layer')}.json`);
  writeFileSync(file, JSON.stringify({ ...document('layer'), env: { EXTRA: 'edited' } }));
  await waitUntil('the file has a problem', async () =>
    /memory\.json/.test((await readServer(service, name('layer'))).problem ?? ''),
  );
  await assertKept('edited', ids);
  writeFileSync(file, JSON.stringify(document('layer')));
  await waitUntil(
    'it has none',
    async () => (await readServer(service, name('layer'))).problem === undefined,
  );

  const { status, body } = await register(service, { ...changed, discard_data: true });
  assert.is(status, 200, JSON.stringify(body));
  assert.equal(await entitiesOf('layer'), []);
  await waitUntil('one is left', async () => (await services?.containersOf(name('layer')))?.length === 1);
});

withEngine('DELETE removes containers and volumes, and nothing brings them back', async () => {
  for (const kind of kinds) await manage(service, 'DELETE', `/api/servers/${name(kind)}`);

  for (const kind of kinds) assert.equal(await services?.containersOf(name(kind)), []);
  const labelled = { filters: { label: ['svc-mcp.server'] } };
  const { Volumes: volumes } = (await services?.docker.listVolumes(labelled)) ?? { Volumes: [] };
  const left = volumes.filter(({ Labels }) => kinds.map(name).includes(Labels['svc-mcp.server'] ?? ''));
  assert.equal(left, []);
});

test.run();
