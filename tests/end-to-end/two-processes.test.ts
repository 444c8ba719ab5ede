/** Two whole services on one Postgres and the same folders are one service: any of them serves any session. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { childrenOf } from '../support/child-processes.ts';
import { manage, readServer, replaceTools, switchTool, toolsOf } from '../support/manager-api.ts';
import { connectClient, openSession, type PlainSession, postJson } from '../support/mcp-client.ts';
import { createTestDatabase } from '../support/postgres.ts';
import { type RunningService, runService } from '../support/run-service.ts';
import { configFiles, everythingConfig, memoryConfig } from '../support/test-servers.ts';
import { waitUntil } from '../support/wait-until.ts';

const test = suite('two processes on one Postgres');
const group = 'svc-global';
const limitMs = 1000;
const database = await createTestDatabase('two');
let a: RunningService;
let b: RunningService;
let tools: string[];

test.before(async () => {
  if (database === undefined) return;
  a = await runService({ database, configs: configFiles(everythingConfig()) });
  b = await runService({ database, shareFoldersWith: a });
  tools = await waitUntil('the server is listed', async () => {
    const listed = await toolsOf(b, 'everything');
    return listed.length > 0 ? listed : undefined;
  });
});

test.after(async () => {
  await b?.remove();
  await a?.remove();
});

/** Speaks for `session` to another process than the one that opened it. */
function askAt(service: RunningService, session: PlainSession, method: string, params?: object) {
  const headers = { 'mcp-session-id': session.id };
  return postJson(service.groupUrl(), { jsonrpc: '2.0', id: 7, method, params }, headers);
}

async function listedAt(service: RunningService, session: PlainSession): Promise<string[]> {
  const { body } = await askAt(service, session, 'tools/list');
  return body.result.tools.map(({ name }: { name: string }) => name);
}

/** A test that is passed over, in plain sight, where there is no Postgres. */
const onPostgres = database === undefined ? test.skip : test;

onPostgres('a session that was opened on one lists and calls on the other', async () => {
  await replaceTools(a, group, ['everything__echo']);
  const session = await openSession(a.groupUrl());

  await waitUntil('the other has heard', async () => (await listedAt(b, session)).length === 1, { limitMs });
  const params = { name: 'everything__echo', arguments: { message: 'across' } };
  const called = await askAt(b, session, 'tools/call', params);

  assert.equal(called.body.result, { content: [{ type: 'text', text: 'Echo: across' }] });
});

onPostgres(
  'a session that was ended on one is 404 on the other within 1 s, though it was used there',
  async () => {
    const session = await openSession(b.groupUrl());
    assert.is((await askAt(a, session, 'ping')).status, 200);
    const there = { headers: { accept: 'text/event-stream', 'mcp-session-id': session.id } };
    const stream = await fetch(b.groupUrl(), there);

    const ended = await fetch(a.groupUrl(), { method: 'DELETE', headers: { 'mcp-session-id': session.id } });

    assert.is(ended.status, 204);
    await waitUntil('it is unknown', async () => (await session.request('ping')).status === 404, { limitMs });
    assert.is((await askAt(a, session, 'ping')).status, 404);
    // Its stream ends too, or this would wait for ever.
    await stream.text();
  },
);

onPostgres('a toggle on one reaches lists and streams of the other within 1 s', async () => {
  await replaceTools(a, group, ['everything__echo']);
  const connected = await connectClient(b.groupUrl());
  let heardAt = 0;
  connected.client.setNotificationHandler(ToolListChangedNotificationSchema, () => {
    heardAt = performance.now();
  });
  const session = await openSession(b.groupUrl());
  await waitUntil('its stream is open', async () => {
    const metrics = await (await fetch(`${b.gatewayUrl}/metrics`)).text();
    return /^svc_mcp_event_streams 1$/m.test(metrics);
  });
  heardAt = 0;

  const toggledAt = performance.now();
  await switchTool(a, group, 'everything__get-sum', true);

  const isListed = async () => (await listedAt(b, session)).includes('everything__get-sum');
  await waitUntil('the other lists it', isListed, { limitMs, everyMs: 5 });
  await waitUntil('its client is told', () => heardAt, { limitMs, everyMs: 5 });
  assert.ok(heardAt - toggledAt < limitMs, `${heardAt - toggledAt} ms`);
  await connected.close();
});

onPostgres('toggles through both at once lose nothing', async () => {
  await replaceTools(a, group, []);
  const wanted = new Map<string, boolean>();

  await Promise.all(
    tools.map(async (tool, at) => {
      for (let turn = 0; turn < 20; turn += 1) {
        const enabled = Math.random() < 0.5;
        await switchTool((at + turn) % 2 === 0 ? a : b, group, tool, enabled);
        wanted.set(tool, enabled);
      }
    }),
  );

  const expected = tools.filter((tool) => wanted.get(tool)).sort();
  const file = JSON.parse(readFileSync(join(a.groupsDir, `${group}.json`), 'utf8'));
  assert.equal(file.included_tools.sort(), expected);
  for (const service of [a, b]) {
    const isSeen = async () => {
      const { tools: seen } = await manage(service, 'GET', '/api/current');
      return JSON.stringify(seen.sort()) === JSON.stringify(expected);
    };
    await waitUntil('both say the same', isSeen, { limitMs });
  }
});

onPostgres('calls through one are shown by the other, with the last of them', async () => {
  await replaceTools(a, group, ['everything__echo']);
  const session = await openSession(b.groupUrl());
  await waitUntil('the tick has arrived', async () => (await listedAt(b, session)).length === 1, { limitMs });
  const { calls: before } = await readServer(a, 'everything');

  await askAt(b, session, 'tools/call', { name: 'everything__echo', arguments: { message: 'counted' } });
  await askAt(b, session, 'tools/call', { name: 'everything__echo', arguments: {} });

  const shown = await waitUntil('both are counted', async () => {
    const { server } = await manage(a, 'GET', '/api/servers/everything');
    return server.calls === before + 2 ? server : undefined;
  });
  const listed = await readServer(a, 'everything');
  assert.equal([shown.errors, shown.in_flight, listed.calls], [1, 0, before + 2]);
  assert.equal(
    shown.recent_calls.slice(0, 2).map(({ outcome }: { outcome: string }) => outcome),
    ['tool_error', 'ok'],
  );
});

onPostgres('a restart on one restarts what the other has running, too', async () => {
  const runs = (service: RunningService) => childrenOf(service.pid(), 'server-everything');
  const [old] = await waitUntil('the other has it running', () => runs(b).length > 0 && runs(b));

  await manage(a, 'POST', '/api/servers/everything/restart');

  const isNew = () => runs(b).length === 1 && runs(b)[0] !== old;
  await waitUntil('the other runs a new one', isNew);
});

onPostgres('a server that is registered on one can be ticked and called on the other', async () => {
  const path = join(a.dir, 'memory.json');
  writeFileSync(path, JSON.stringify(memoryConfig('memory')));

  const { code, stderr } = await a.cli(['register', '-c', path]);

  assert.is(code, 0, stderr);
  const isKnown = async () => (await toolsOf(b, 'memory')).length > 0;
  await waitUntil('the other knows it', isKnown, { limitMs });
  await replaceTools(b, group, ['memory__read_graph']);
  const session = await openSession(b.groupUrl());
  const { body } = await session.request('tools/call', { name: 'memory__read_graph' });
  assert.equal(body.result.structuredContent, { entities: [], relations: [] });
});

onPostgres('a server that is removed on one is gone from the other', async () => {
  await manage(b, 'DELETE', '/api/servers/memory');

  const isGone = async () => {
    const { servers } = await manage(a, 'GET', '/api/servers');
    return servers.every(({ name }: { name: string }) => name !== 'memory');
  };
  await waitUntil('the other has dropped it', isGone, { limitMs });
});

onPostgres('when one is killed, its sessions go on at the other', async () => {
  await replaceTools(b, group, ['everything__echo']);
  const session = await openSession(a.groupUrl());

  await a.kill9();

  const params = { name: 'everything__echo', arguments: { message: 'moved' } };
  const called = await askAt(b, session, 'tools/call', params);
  assert.equal(called.body.result, { content: [{ type: 'text', text: 'Echo: moved' }] });
});

test.run();
