/**
 * Links that one replica passed on are read on another in the very next request, of groups with two servers that have
 * resources and list none: only who showed a URI tells whose it is.
 */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Replicas, startReplicas } from '../conformance/replicas.ts';
import { toolsOf } from '../support/manager-api.ts';
import { openSession, type PlainSession } from '../support/mcp-client.ts';
import { createTestDatabase } from '../support/postgres.ts';
import type { RunningService } from '../support/run-service.ts';
import { configFiles, linkingConfig } from '../support/test-servers.ts';
import { waitUntil } from '../support/wait-until.ts';

const test = suite('links on three replicas');
const database = await createTestDatabase('links');
const onPostgres = database === undefined ? test.skip : test;
const servers = ['one', 'two'];
let replicas: Replicas;

test.before(async () => {
  if (database === undefined) return;
  const group = (name: string) => ({
    name,
    description: '',
    included_tools: [],
    included_servers: servers,
  });
  const configs = configFiles(...servers.map(linkingConfig));
  const groups = { 'svc-global': group('svc-global'), other: group('other') };
  replicas = await startReplicas({ database, configs, groups });
  for (const server of servers) {
    await waitUntil(`${server} is listed`, async () => (await toolsOf(replicas.manager, server)).length > 0);
  }
  await Promise.all(replicas.all.map(hasResourcesOfBoth));
});

test.after(() => replicas?.remove());

/** What servers offer besides tools is listed after those; the only server with resources would be asked for any URI. */
function hasResourcesOfBoth(service: RunningService): Promise<boolean> {
  return waitUntil('both have resources', async () => {
    const session = await openSession(service.groupUrl());
    const uris = servers.map((server) => `note://first/${server}`);
    for (const [at, server] of servers.entries()) await show(session, server, 'link', uris[at] ?? '');
    const texts = await Promise.all(uris.map((uri) => read(session, uri)));
    const lost = await session.request('resources/read', { uri: 'note://nobody' });
    return texts.every((text) => typeof text === 'string') && lost.body.error?.code === -32002;
  });
}

async function show(
  session: PlainSession,
  server: string,
  tool: string,
  ...uris: readonly string[]
): Promise<void> {
  const { body } = await session.request('tools/call', {
    name: `${server}__${tool}`,
    arguments: { uris },
  });
  assert.is(body.result?.content.length, uris.length, JSON.stringify(body));
}

/** The text, or the code of the error. */
async function read(session: PlainSession, uri: string): Promise<string | number> {
  const { body } = await session.request('resources/read', { uri });
  return body.result?.contents[0].text ?? body.error.code;
}

onPostgres('a hundred links are each read in the next request, on another replica', async () => {
  const session = await openSession(replicas.groupUrl());
  const before = replicas.roundRobin.counts();
  const expected: string[] = [];
  const texts: (string | number)[] = [];

  for (let at = 0; at < 100; at++) {
    const server = at % 2 === 0 ? 'one' : 'two';
    const uri = at % 3 === 0 ? `ui://page/${at}` : `note://${at}`;
    await show(session, server, at % 5 === 0 ? 'embed' : 'link', uri);
    texts.push(await read(session, uri));
    expected.push(`${uri} of ${server}`);
  }

  assert.equal(texts, expected);
  const dealt = replicas.roundRobin.counts().map((count, at) => count - (before[at] ?? 0));
  assert.ok(
    dealt.every((count) => count >= 66),
    `each replica had a third: ${dealt}`,
  );
});

onPostgres('a hundred links in one result are read on every replica, at once', async () => {
  const session = await openSession(replicas.groupUrl());
  const uris = Array.from({ length: 100 }, (_, at) => `note://together/${at}`);

  await show(session, 'two', 'link', ...uris);
  const texts = await Promise.all(uris.map((uri) => read(session, uri)));

  assert.equal(
    texts,
    uris.map((uri) => `${uri} of two`),
  );
});

onPostgres(
  'of a URI that both servers show the last one is asked, whichever replica knows the first',
  async () => {
    const session = await openSession(replicas.groupUrl());
    const uri = 'note://both';

    for (const server of ['one', 'one', 'one', 'two']) await show(session, server, 'link', uri);

    for (let turn = 0; turn < 3; turn++) assert.is(await read(session, uri), `${uri} of two`);
  },
);

onPostgres('another group has none of them, on no replica', async () => {
  await show(await openSession(replicas.groupUrl()), 'one', 'link', 'note://ours');
  const session = await openSession(replicas.groupUrl('other'));

  for (let turn = 0; turn < 3; turn++) assert.is(await read(session, 'note://ours'), -32002);
});

onPostgres('the error of a server that showed the link is passed on by every replica', async () => {
  const session = await openSession(replicas.groupUrl());

  await show(session, 'one', 'link', 'lost:1');

  for (let turn = 0; turn < 3; turn++) assert.is(await read(session, 'lost:1'), -32601);
});

test.run();
