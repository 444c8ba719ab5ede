/**
 * What reaches a client before, beside and after its answers, when its calls, its stream and its notifications each go
 * to another replica: progress, cancellation, updates of resources, logs, and a call's stream resumed elsewhere.
 */
import pg from 'pg';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Replicas, startReplicas } from '../conformance/replicas.ts';
import { type AnsweringClient, connectAnsweringClient } from '../support/answering-client.ts';
import { toolsOf } from '../support/manager-api.ts';
import { openSession, postJson } from '../support/mcp-client.ts';
import { openReader } from '../support/mcp-exchange.ts';
import { createTestDatabase } from '../support/postgres.ts';
import { type Purpose, type RoutedFetch, roundRobin, routedFetch } from '../support/routed-fetch.ts';
import type { RunningService } from '../support/run-service.ts';
import { configFiles, everythingConfig, faultConfig } from '../support/test-servers.ts';
import { waitUntil } from '../support/wait-until.ts';

const test = suite('streams of three replicas');
const database = await createTestDatabase('streams');
const onPostgres = database === undefined ? test.skip : test;
const eventStream = { accept: 'application/json, text/event-stream' };
const watched = 'demo://resource/dynamic/text/1';
const opened: AnsweringClient[] = [];
let replicas: Replicas;
let a: RunningService;
let b: RunningService;
let c: RunningService;

test.before(async () => {
  if (database === undefined) return;
  const servers = ['everything', 'fault'];
  const configs = configFiles(everythingConfig(), everythingConfig('logging'), faultConfig('fault'));
  const group = { name: 'svc-global', description: '', included_tools: [], included_servers: servers };
  // What it logs outside of calls is certainly of one session while one alone uses it.
  const alone = { ...group, name: 'alone', included_servers: ['logging'] };
  replicas = await startReplicas({ database, configs, groups: { 'svc-global': group, alone } });
  [a, b, c] = replicas.all as [RunningService, RunningService, RunningService];
  for (const server of [...servers, 'logging']) {
    await waitUntil(`${server} is listed`, async () => (await toolsOf(a, server)).length > 0);
  }
  await waitUntil('what it offers besides tools is listed', async () => {
    const { initialized, request } = await openSession(b.groupUrl());
    const { capabilities } = initialized.body.result;
    return (
      capabilities.resources?.subscribe && (await request('prompts/list')).body.result.prompts.length > 0
    );
  });
});

test.after.each(async () => {
  for (const client of opened.splice(0)) await client.close();
});

test.after(() => replicas?.remove());

async function connect(fetch: RoutedFetch, group?: string): Promise<AnsweringClient> {
  const client = await connectAnsweringClient(a.groupUrl(group), { fetch });
  opened.push(client);
  return client;
}

/** Calls and the rest at the first, the stream at the third; some methods where `exceptions` says. */
function split(exceptions: Readonly<Partial<Record<Purpose, RunningService>>> = {}): RoutedFetch {
  return routedFetch((purpose) => exceptions[purpose] ?? (purpose === 'stream' ? c : a));
}

/** A call whose answer is a stream once anything comes before it; `signal` hangs up. */
function callAt(
  at: RunningService,
  session: string,
  id: number,
  name: string,
  args: object,
  signal: AbortSignal | null = null,
) {
  const params = { name, arguments: args, _meta: { progressToken: id } };
  return fetch(at.groupUrl(), {
    method: 'POST',
    signal,
    headers: { 'content-type': 'application/json', ...eventStream, 'mcp-session-id': session },
    body: JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params }),
  });
}

function resumeAt(at: RunningService, session: string, lastId: string, signal: AbortSignal | null = null) {
  const headers = { accept: 'text/event-stream', 'mcp-session-id': session, 'last-event-id': lastId };
  return fetch(at.groupUrl(), { headers, signal });
}

onPostgres('progress of a long call comes in order, whichever replica has it', async () => {
  const { client } = await connect(roundRobin(replicas.all));
  for (let turn = 0; turn < 3; turn += 1) {
    const heard: number[] = [];
    const params = { name: 'fault__slow_progress', arguments: { steps: 8, ms: 20 } };

    await client.callTool(params, undefined, { onprogress: ({ progress }) => heard.push(progress) });

    assert.equal(heard, [1, 2, 3, 4, 5, 6, 7, 8]);
  }
});

onPostgres('rule 42: a cancellation that comes to another replica ends the call', async () => {
  const { id } = await openSession(a.groupUrl());
  const reader = openReader(await callAt(a, id, 9, 'fault__slow_progress', { steps: 600, ms: 50 }));
  await reader.next();

  const params = { requestId: 9, reason: 'enough' };
  const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params };
  const { status } = await postJson(b.groupUrl(), cancelled, { 'mcp-session-id': id });

  assert.is(status, 202);
  const startedAt = performance.now();
  const rest = await reader.rest();
  assert.ok(performance.now() - startedAt < 2_000);
  assert.not.match(rest, '"result"');
});

onPostgres('rule 42: an equal request id of another session is not cancelled', async () => {
  const { id: one } = await openSession(a.groupUrl());
  const { id: other } = await openSession(b.groupUrl());
  const call = callAt(a, one, 5, 'fault__slow', { ms: 600 });
  await new Promise((resolve) => setTimeout(resolve, 100));

  const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 5 } };
  await postJson(c.groupUrl(), cancelled, { 'mcp-session-id': other });

  assert.match(await (await call).text(), '"slow"');
});

onPostgres(
  'rule 48: a subscription made on one replica brings updates on the stream of another',
  async () => {
    // The server over stdio is a process per replica: the one that has the stream must subscribe at its own.
    const { client, call, told } = await connect(split({ 'tools/call': c }));
    await client.subscribeResource({ uri: watched });
    const updates = () => told.filter(({ method }) => method === 'notifications/resources/updated');

    // Switched on, it sends one at once.
    await waitUntil('an update comes', async () => {
      await call('everything__toggle-subscriber-updates');
      await new Promise((resolve) => setTimeout(resolve, 100));
      return updates().length > 0;
    });

    assert.equal(updates()[0]?.params, { uri: watched });
  },
);

onPostgres('rule 48: once unsubscribed, and in other sessions, no update comes', async () => {
  const { client, told } = await connect(split({ 'resources/unsubscribe': b }));
  const other = await connect(split({ 'tools/call': c }));
  await client.subscribeResource({ uri: watched });
  await client.unsubscribeResource({ uri: watched });
  // News of it reach the replica that has the stream within 1 s, usually at once.
  await new Promise((resolve) => setTimeout(resolve, 300));
  told.splice(0);

  for (let turn = 0; turn < 4; turn += 1) await other.call('everything__toggle-subscriber-updates');
  await new Promise((resolve) => setTimeout(resolve, 300));

  for (const heard of [told, other.told]) {
    assert.equal(
      heard.filter(({ method }) => method === 'notifications/resources/updated'),
      [],
    );
  }
});

onPostgres('rule 44: a level set on one replica filters what comes through another', async () => {
  const { client, told } = await connect(split({ 'logging/setLevel': b }), 'alone');
  const logs = () => told.filter(({ method }) => method === 'notifications/message');

  // The server tells at `info` of each subscription.
  await client.setLoggingLevel('info');
  await waitUntil('a log comes', async () => {
    await client.subscribeResource({ uri: watched });
    return logs().length > 0;
  });
  await client.setLoggingLevel('error');
  await new Promise((resolve) => setTimeout(resolve, 300));
  const before = logs().length;
  await client.subscribeResource({ uri: watched });
  await new Promise((resolve) => setTimeout(resolve, 300));

  assert.match(logs()[0]?.params.logger, /^logging/);
  assert.match(logs()[0]?.params.data, 'Received Subscribe');
  assert.is(logs().length, before);
});

onPostgres(
  'rule 29: the stream of a running call is resumed on another replica, with nothing lost',
  async () => {
    const { id } = await openSession(a.groupUrl(), { protocolVersion: '2025-11-25' });
    const line = new AbortController();
    const args = { steps: 20, ms: 50 };
    const reader = openReader(await callAt(a, id, 3, 'fault__slow_progress', args, line.signal));
    const seen: string[] = [];
    while (seen.filter((event) => event.includes('"progress"')).length < 3)
      seen.push(await reader.nextWithId());
    line.abort();

    const lastId = /^id: (.*)$/m.exec(seen.at(-1) ?? '')?.[1] ?? '';
    const resumed = await resumeAt(b, id, lastId, AbortSignal.timeout(10_000));

    const events = [...seen, ...(await openReader(resumed).rest()).split('\n\n')];
    assert.equal(
      events.flatMap((event) => /"progress":(\d+)/.exec(event)?.[1] ?? []).map(Number),
      Array.from({ length: 20 }, (_, step) => step + 1),
    );
    assert.match(events.filter((event) => event.includes('"result"')).join(), '"id":3');
  },
);

onPostgres('rule 29: another session’s stream is not handed out', async () => {
  const { id } = await openSession(a.groupUrl(), { protocolVersion: '2025-11-25' });
  const { id: thief } = await openSession(a.groupUrl(), { protocolVersion: '2025-11-25' });
  const first = await openReader(await callAt(a, id, 3, 'fault__progress', {})).rest();
  const eventId = /^id: (.*)$/m.exec(first)?.[1] ?? '';
  assert.match(first, '"progress":5');

  // A stream that is not known is looked for over a moment: it may just have been opened elsewhere.
  const resumed = await resumeAt(b, thief, eventId, AbortSignal.timeout(4_000));
  const reader = openReader(resumed);
  const got: string[] = [];
  const whole = (async () => {
    for (let event = await reader.next(); event !== 'closed'; event = await reader.next()) got.push(event);
  })();
  await whole.catch(() => {});

  assert.not.match(got.join('\n'), 'progress');
});

onPostgres(
  'the end of a session that nobody was told of ends its streams after a gap in the news',
  async () => {
    const { id } = await openSession(a.groupUrl());
    const headers = { accept: 'text/event-stream', 'mcp-session-id': id };
    const signal = AbortSignal.timeout(10_000);
    const streams = await Promise.all(
      replicas.all.map(async (at) => openReader(await fetch(at.groupUrl(), { headers, signal }))),
    );
    const admin = new pg.Client({ connectionString: database });
    await admin.connect();

    await admin.query('delete from sessions where id = $1', [id]);
    await admin.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid()`,
    );
    await admin.end();

    await Promise.all(streams.map((stream) => stream.rest()));
  },
);

test.run();
