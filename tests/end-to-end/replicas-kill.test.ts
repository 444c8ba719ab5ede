/** What ends on one of three replicas: a session there, or the replica itself, which costs its calls and nothing else. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Replicas, startReplicas } from '../conformance/replicas.ts';
import { toolsOf } from '../support/manager-api.ts';
import { openSession, type PlainSession, postJson } from '../support/mcp-client.ts';
import { createTestDatabase } from '../support/postgres.ts';
import type { RunningService } from '../support/run-service.ts';
import { configFiles, faultConfig } from '../support/test-servers.ts';
import { waitUntil } from '../support/wait-until.ts';

const test = suite('ends on one of three replicas');
const database = await createTestDatabase('killed');
const onPostgres = database === undefined ? test.skip : test;
let replicas: Replicas;
let a: RunningService;
let b: RunningService;
let c: RunningService;

test.before(async () => {
  if (database === undefined) return;
  const group = { name: 'svc-global', description: '', included_tools: [], included_servers: ['fault'] };
  const configs = configFiles(faultConfig('fault'));
  replicas = await startReplicas({ database, configs, groups: { 'svc-global': group } });
  [a, b, c] = replicas.all as [RunningService, RunningService, RunningService];
  await waitUntil('the server is listed', async () => (await toolsOf(a, 'fault')).length > 0);
  await waitUntil('all have its tools', async () => {
    const { id } = await openSession(a.groupUrl());
    const texts = await Promise.all([b, c].map(async (at) => (await callAt(at, id, 'echo')).text));
    return texts.every((text) => text.includes('"here"'));
  });
});

test.after(() => replicas?.remove());

function callAt(at: RunningService, session: string, tool: string, args: object = { message: 'here' }) {
  const message = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: `fault__${tool}`, arguments: args },
  };
  return postJson(at.groupUrl(), message, { 'mcp-session-id': session });
}

onPostgres('rule 21: a session that is ended on one is 404 on those that have served it', async () => {
  for (let turn = 0; turn < 10; turn += 1) {
    const { id } = await openSession(a.groupUrl());
    await Promise.all([b, c].map((at) => callAt(at, id, 'echo')));

    const headers = { 'mcp-session-id': id };
    const ended = await fetch(b.groupUrl(), { method: 'DELETE', headers });
    const after = await Promise.all([a, b, c].map((at) => callAt(at, id, 'echo')));

    assert.equal([ended.status, ...after.map(({ status }) => status)], [204, 404, 404, 404]);
  }
});

onPostgres('a killed replica fails its calls, those of others and every session go on', async () => {
  const sessions = await Promise.all(
    [a, b, c].flatMap((at) => Array.from({ length: 10 }, () => openSession(at.groupUrl()))),
  );
  const [first] = sessions as [PlainSession];
  const slow = { ms: 1_500 };
  const throughOthers = [a, b].map((at) => callAt(at, first.id, 'slow', slow));
  const throughKilled = callAt(c, first.id, 'slow', slow).catch(() => 'lost');
  await new Promise((resolve) => setTimeout(resolve, 300));

  await c.kill9();

  assert.is(await throughKilled, 'lost');
  for (const answer of await Promise.all(throughOthers)) assert.match(answer.text, '"slow"');
  for (const [at, { id }] of sessions.entries()) {
    const { text } = await callAt(at % 2 === 0 ? a : b, id, 'echo');
    assert.match(text, '"here"', `session ${at}`);
  }
});

onPostgres('behind a load balancer, clients do not notice', async () => {
  const { request } = await openSession(replicas.groupUrl());

  for (let turn = 0; turn < 6; turn += 1) {
    const { text } = await request('tools/call', { name: 'fault__echo', arguments: { message: 'on' } });
    assert.match(text, '"on"');
  }
});

onPostgres('started again it serves sessions that began while it was away', async () => {
  const { id } = await openSession(a.groupUrl());

  await c.restart();
  await waitUntil('it is ready', async () => (await fetch(`${c.gatewayUrl}/readyz`)).ok);

  await waitUntil('it answers', async () => (await callAt(c, id, 'echo')).text.includes('"here"'));
});

onPostgres('without the manager the gateways go on', async () => {
  const { id } = await openSession(b.groupUrl());

  await a.kill9();

  assert.match((await callAt(c, id, 'echo')).text, '"here"');
  assert.is((await openSession(b.groupUrl())).initialized.status, 200);
});

test.run();
