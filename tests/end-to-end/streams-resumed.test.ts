/**
 * Event streams outlive the process that wrote them: two replicas on one Postgres, one of them killed under load.
 * `LONG=1`: 1,000 sessions instead of 120.
 */
import pg from 'pg';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { replaceTools, switchTool, toolsOf } from '../support/manager-api.ts';
import { openSession, postJson } from '../support/mcp-client.ts';
import { openReader } from '../support/mcp-exchange.ts';
import { createTestDatabase } from '../support/postgres.ts';
import { type RunningService, runService } from '../support/run-service.ts';
import { openStreamClient, type StreamClient } from '../support/stream-client.ts';
import { configFiles, everythingConfig } from '../support/test-servers.ts';
import { waitUntil } from '../support/wait-until.ts';

const test = suite('streams that are resumed');
const group = 'svc-global';
const count = process.env.LONG === '1' ? 1_000 : 120;
const limitMs = 20_000;
const database = await createTestDatabase('resumed');
const onPostgres = database === undefined ? test.skip : test;
let a: RunningService;
let b: RunningService;
let rows: pg.Client;

test.before(async () => {
  if (database === undefined) return;
  rows = new pg.Client(database);
  await rows.connect();
  a = await runService({
    database,
    env: { SHUTDOWN_SECONDS: '1' },
    configs: configFiles(everythingConfig()),
  });
  b = await runService({ database, shareFoldersWith: a });
  await waitUntil('the server is listed', async () => (await toolsOf(b, 'everything')).length > 0);
});

test.after(async () => {
  await rows?.end();
  await b?.remove();
  await a?.remove();
});

const both = 'application/json, text/event-stream';

/** A call that reports progress for `seconds`, read up to its first report. */
async function startCall(service: RunningService, sessionId: string, seconds: number) {
  const leaving = new AbortController();
  const params = {
    name: 'everything__trigger-long-running-operation',
    arguments: { duration: seconds, steps: seconds * 2 },
    _meta: { progressToken: 'p' },
  };
  const response = await fetch(service.groupUrl(), {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: both, 'mcp-session-id': sessionId },
    body: JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/call', params }),
    signal: leaving.signal,
  });
  const reader = openReader(response);
  const readId = async () => {
    for (;;) {
      const event = await reader.nextWithId();
      const [, id] = /^id: (\S+-[1-9]\d*)$/m.exec(event) ?? [];
      if (id !== undefined) return id;
      if (event === 'closed') throw new Error(`${response.status}: no event with an id`);
    }
  };
  return { lastEventId: await readId(), leave: () => leaving.abort() };
}

function dataOf({ received }: StreamClient) {
  return [...received.values()].map((text) => JSON.parse(text));
}

onPostgres('a call whose connection broke is read to its end on another replica', async () => {
  await replaceTools(a, group, ['everything__trigger-long-running-operation']);
  const { id: sessionId } = await openSession(a.groupUrl(), { protocolVersion: '2025-11-25' });
  const { lastEventId, leave } = await startCall(a, sessionId, 2);
  leave();

  const client = openStreamClient({ sessionId, urls: [b.groupUrl()], lastEventId });

  const answer = await waitUntil('the answer', () => dataOf(client).find(({ id }) => id === 7), { limitMs });
  client.close();
  assert.match(answer.result.content[0].text, 'completed');
  const steps = dataOf(client).flatMap(({ params }) => params?.progress ?? []);
  assert.equal(steps, [2, 3, 4], 'the first one was seen before');
  assert.equal(client.doubled, []);
});

onPostgres('a slow call of the latest revision can be resumed before it said anything', async () => {
  const { id: sessionId } = await openSession(a.groupUrl(), { protocolVersion: '2025-11-25' });
  const params = { name: 'everything__trigger-long-running-operation', arguments: { duration: 1, steps: 2 } };
  const leaving = new AbortController();
  const response = await fetch(a.groupUrl(), {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: both, 'mcp-session-id': sessionId },
    body: JSON.stringify({ jsonrpc: '2.0', id: 8, method: 'tools/call', params }),
    signal: leaving.signal,
  });
  const lastEventId = /^id: (.*)$/m.exec(await openReader(response).nextWithId())?.[1] ?? '';
  leaving.abort();

  const client = openStreamClient({ sessionId, urls: [b.groupUrl()], lastEventId });

  await waitUntil('the answer', () => dataOf(client).some(({ id }) => id === 8), { limitMs });
  client.close();
});

onPostgres('a cancellation that is posted on another replica ends the call', async () => {
  const { id: sessionId } = await openSession(a.groupUrl());
  const { leave, lastEventId } = await startCall(a, sessionId, 10);

  const message = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } };
  await postJson(b.groupUrl(), message, { 'mcp-session-id': sessionId });

  const isOver = async () => {
    const metrics = await (await fetch(`${a.gatewayUrl}/metrics`)).text();
    return /^svc_mcp_calls_in_flight 0$/m.test(metrics);
  };
  await waitUntil('no call is in flight', isOver, { limitMs: 2_000 });
  leave();
  assert.ok(lastEventId);
});

onPostgres('a replica ends during a call: who reads it at the other is told, and listens there', async () => {
  const { id: sessionId } = await openSession(a.groupUrl(), { protocolVersion: '2025-11-25' });
  const { lastEventId, leave } = await startCall(a, sessionId, 60);
  leave();
  const reader = openStreamClient({ sessionId, urls: [b.groupUrl()], lastEventId });
  const listener = openStreamClient({ sessionId, urls: [a.groupUrl(), b.groupUrl(), b.groupUrl()] });
  await waitUntil('both are there', () => reader.isOpen() && listener.isOpen(), { limitMs });

  assert.is(await a.stop(), 0);

  const answer = await waitUntil('the answer', () => dataOf(reader).find(({ id }) => id === 7), { limitMs });
  reader.close();
  assert.match(answer.result.content[0].text, 'may or may not have run');
  await waitUntil('it listens at the other', () => listener.visits() > 1 && listener.isOpen(), { limitMs });
  await switchTool(b, group, 'everything__get-sum', true);
  await waitUntil('it hears', () => dataOf(listener).some(({ method }) => /list_changed/.test(method)), {
    limitMs,
  });
  listener.close();
  await a.restart();
});

onPostgres(
  `a replica is killed: ${count} listeners go on at the other, with nothing doubled and nothing kept lost`,
  async () => {
    const clients = await openClients();
    const lost = await startCall(a, clients[0]?.sessionId ?? '', 30);
    const isOpen = () => clients.every((client) => client.isOpen());
    await waitUntil('all listen', isOpen, { limitMs });

    const toggling = toggle(6);
    await waitUntil('the first events are there', () => clients.every(({ received }) => received.size > 1), {
      limitMs,
    });
    await a.kill9();
    await toggling;
    await waitUntil('all listen again', isOpen, { limitMs });
    await waitUntil('all that was kept has come', async () => (await missing(clients)).length === 0, {
      limitMs,
    });
    for (const client of clients) client.close();

    assert.equal(
      clients.flatMap(({ doubled }) => doubled),
      [],
    );
    const moved = clients.filter((client) => client.visits() > 1);
    assert.is(moved.length, count / 2);
    assert.ok(clients.every((client) => JSON.parse([...client.received.values()].at(-1) ?? '{}').method));
    await untilToldThatItIsLost(clients[0]?.sessionId ?? '', lost.lastEventId);
  },
);

/** Half of them at each replica; those that lose theirs go to the other. */
async function openClients(): Promise<StreamClient[]> {
  const clients: StreamClient[] = [];
  for (let at = 0; at < count; at += 1) {
    const own = at % 2 === 0 ? a : b;
    const { id: sessionId } = await openSession(own.groupUrl(), { protocolVersion: '2025-11-25' });
    clients.push(openStreamClient({ sessionId, urls: [own.groupUrl(), b.groupUrl(), b.groupUrl()] }));
  }
  return clients;
}

/** Changes the group twice a second, through the replica that stays. */
async function toggle(times: number): Promise<void> {
  for (let turn = 0; turn < times; turn += 1) {
    await switchTool(b, group, 'everything__get-sum', turn % 2 === 0);
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

/** Events that are kept for these sessions and did not come. */
async function missing(clients: readonly StreamClient[]): Promise<string[]> {
  const kept = await rows.query<{ session_id: string; event_id: string }>(
    `select session_id, stream_id || '-' || seq as event_id
    from stream_events join event_streams on event_streams.id = stream_id where stream_id like 'g%'`,
  );
  const received = new Map(clients.map((client) => [client.sessionId, client.received]));
  return kept.rows
    .filter(({ session_id: session, event_id: event }) => received.get(session)?.has(event) === false)
    .map(({ event_id: event }) => event);
}

/** The call went down with its replica; who comes back for it learns that, and does not wait for ever. */
async function untilToldThatItIsLost(sessionId: string, lastEventId: string): Promise<void> {
  const client = openStreamClient({ sessionId, urls: [b.groupUrl()], lastEventId });
  const answer = await waitUntil('the answer', () => dataOf(client).find(({ id }) => id === 7), { limitMs });
  client.close();
  assert.is(answer.error.code, -32603);
}

test.run();
