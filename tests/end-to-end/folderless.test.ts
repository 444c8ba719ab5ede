/** Gateways that have a Postgres and no folder: what they show and serve is what their manager has. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startFolderlessGateway, untilReady } from '../conformance/replicas.ts';
import { manage, switchTool, toolsOf } from '../support/manager-api.ts';
import { connectClient, openSession, type PlainSession, postJson } from '../support/mcp-client.ts';
import { type NotesServer, startNotesServer } from '../support/notes-server.ts';
import { createTestDatabase } from '../support/postgres.ts';
import { type RunningService, runService } from '../support/run-service.ts';
import { configFiles, everythingConfig, faultConfig, stdioConfig } from '../support/test-servers.ts';
import { waitUntil } from '../support/wait-until.ts';

const test = suite('gateways without folders');
const database = await createTestDatabase('folderless');
const onPostgres = database === undefined ? test.skip : test;
const group = 'svc-global';
const servers = ['everything', 'offering', 'counting', 'notes', 'keyed'];
const minuteMs = 60_000;
let notes: NotesServer;
let manager: RunningService;
let one: RunningService;
let two: RunningService;

test.before(async () => {
  if (database === undefined) return;
  notes = await startNotesServer('first');
  const url = `http://${notes.address}/archive`;
  const configs = configFiles(
    everythingConfig(),
    stdioConfig('offering', ['tests/support/offering-server.mjs']),
    faultConfig('counting', [], { session_mode: 'stateful' }),
    { name: 'notes', transport: 'streamable_http', url },
    { name: 'keyed', transport: 'streamable_http', url, headers: { 'X-Key': `\${NOTES_KEY}` } },
  );
  manager = await runService({
    database,
    configs,
    groups: { [group]: groupOf(group, servers), few: groupOf('few', []) },
    env: { ROLES: 'manager' },
    readyMs: 0,
    fill: async ({ dataDir }) => writeSecrets(dataDir),
  });
  await untilReady(manager.managerUrl);
  for (const name of servers)
    await waitUntil(`${name} is listed`, async () => (await toolsOf(manager, name)).length);
  one = await startFolderlessGateway(manager);
  two = await startFolderlessGateway(manager);
});

test.after(async () => {
  await Promise.all([one?.remove(), two?.remove()]);
  await manager?.remove();
  await notes?.close();
});

async function textOf(session: PlainSession, name: string, args: object = {}): Promise<string> {
  const { body } = await session.request('tools/call', { name, arguments: args });
  return body.result?.content[0].text ?? JSON.stringify(body);
}

/** Speaks for `session` to another process than the one that opened it. */
async function textAt(service: RunningService, session: PlainSession, name: string): Promise<string> {
  const message = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name, arguments: {} } };
  const { body } = await postJson(service.groupUrl(), message, { 'mcp-session-id': session.id });
  return body.result?.content[0].text ?? JSON.stringify(body);
}

onPostgres('they make no folder and no file, and say so', () => {
  for (const service of [one, two]) {
    assert.equal(readdirSync(service.dir), []);
    assert.match(service.output(), 'none: groups and servers come from the database');
  }
  assert.not(existsSync(join(one.dir, 'no-home')));
});

onPostgres('agents of both get the tools of the group, as the manager has them', async () => {
  const wanted = (await manage(manager, 'GET', `/api/current?group=${group}`)).tools;
  assert.ok(wanted.length > 20);

  for (const service of [one, two]) {
    const { body } = await (await openSession(service.groupUrl())).request('tools/list');
    assert.equal(body.result.tools.map(({ name }: { name: string }) => name).sort(), [...wanted].sort());
  }
});

onPostgres(
  'a program is called at the manager, an address directly, with a secret at the manager again',
  async () => {
    const session = await openSession(one.groupUrl());

    assert.is(await textOf(session, 'everything__echo', { message: 'ü' }), 'Echo: ü');
    assert.not.match(await textOf(session, 'notes__whoami'), 'x-key');
    assert.is(JSON.parse(await textOf(session, 'keyed__whoami'))['x-key'], 'made-up key');
  },
);

onPostgres('a stateful program is one for the session, at whichever gateway it is called', async () => {
  const session = await openSession(one.groupUrl());
  const pids = [
    await textAt(one, session, 'counting__pid'),
    await textAt(two, session, 'counting__pid'),
    await textOf(await openSession(one.groupUrl()), 'counting__pid'),
  ];

  assert.match(String(pids[0]), /^\d+$/);
  assert.is(pids[0], pids[1]);
  assert.is.not(pids[0], pids[2]);
});

onPostgres(
  'a resource of a program that changes is told to those who subscribed, at any gateway',
  async () => {
    const listeners = await Promise.all([one, two].map((service) => connectClient(service.groupUrl())));
    const told: string[] = [];
    for (const [at, { client }] of listeners.entries()) {
      client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => {
        told.push(`${at} ${params.uri}`);
      });
      await client.subscribeResource({ uri: 'r://one' });
    }

    const heard = await textOf(await openSession(one.groupUrl()), 'offering__heard');
    assert.match(heard, '+r://one');
    await listeners[0]?.client.callTool({ name: 'offering__update', arguments: { uri: 'r://one' } });

    await waitUntil('both are told', () => told.length >= 2);
    assert.equal(told.sort(), ['0 r://one', '1 r://one']);
    for (const { close } of listeners) await close();
  },
);

onPostgres('a toggle at the manager is heard by their agents within 1 s, each of twenty', async () => {
  const { client, close } = await connectClient(two.groupUrl('few'));
  let heard = 0;
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => {
    heard = performance.now();
  });
  await waitUntil('its stream is open', async () =>
    /^svc_mcp_event_streams [1-9]/m.test(await (await fetch(`${two.gatewayUrl}/metrics`)).text()),
  );

  for (let at = 0; at < 20; at++) {
    heard = 0;
    await switchTool(manager, 'few', 'everything__echo', at % 2 === 0);
    const toggledAt = performance.now();
    await waitUntil('it is heard', () => heard, { everyMs: 2, limitMs: 5_000 });
    assert.ok(heard - toggledAt < 1_000, `toggle ${at} was heard after ${heard - toggledAt} ms`);
    assert.is((await client.listTools()).tools.length, (at + 1) % 2);
  }
  await close();
});

onPostgres(
  'a group that is added, edited and removed by hand at the manager is so at the gateways',
  async () => {
    const path = join(manager.groupsDir, 'hand.json');
    const tools = async () => {
      const { status, body } = await (await openSession(one.groupUrl('hand'))).request('tools/list');
      return status === 200 ? body.result.tools.length : status;
    };
    writeFileSync(path, JSON.stringify(groupOf('hand', ['offering'])));
    await waitUntil('it is there', async () => (await tools()) === 4);

    writeFileSync(path, '{');
    await waitUntil('it is broken', async () => /group broken/.test(one.output()));
    assert.is(await tools(), 4);

    writeFileSync(path, JSON.stringify(groupOf('hand', [])));
    await waitUntil('it is repaired', async () => (await tools()) === 0);
    assert.match(readFileSync(path, 'utf8'), 'hand');
  },
);

onPostgres('while the manager is away for a minute agents go on, and what needs it says so', async () => {
  const session = await openSession(one.groupUrl());
  const { length } = (await session.request('tools/list')).body.result.tools;
  await manager.kill9();
  const backAt = performance.now() + minuteMs;

  while (performance.now() < backAt) {
    const another = await openSession(two.groupUrl());
    for (const each of [session, another]) {
      assert.is((await each.request('tools/list')).body.result.tools.length, length);
      assert.is(await textOf(each, 'notes__read'), 'noted');
      assert.match(
        await textOf(each, 'everything__echo', { message: '' }),
        /"everything" is unavailable: .*manager/,
      );
    }
    assert.ok((await fetch(`${one.gatewayUrl}/readyz`)).ok);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
  await manager.restart();
  await untilReady(manager.managerUrl);

  const isBack = async () =>
    (await textOf(session, 'everything__echo', { message: 'back' })) === 'Echo: back';
  await waitUntil('programs are called again', isBack, { limitMs: 5_000 });
});

onPostgres('nothing of a secret is in their output', () => {
  for (const service of [one, two]) assert.not.match(service.output(), 'made-up key');
});

/** As `svc-mcp register` would have kept it. */
async function writeSecrets(dataDir: string): Promise<void> {
  mkdirSync(dataDir, { recursive: true });
  writeFileSync(join(dataDir, 'secrets.env'), "NOTES_KEY='made-up key'\n", { mode: 0o600 });
}

function groupOf(name: string, included: readonly string[]) {
  return { name, description: '', included_tools: [], included_servers: included };
}

test.run();
