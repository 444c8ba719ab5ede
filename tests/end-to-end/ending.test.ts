/**
 * The end of a process while agents wait: everybody is served until it is over, whoever still waits is told, no stream
 * is cut, and no process of ours is left.
 */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { childrenOf, isAlive } from '../support/child-processes.ts';
import { readServer, switchTool } from '../support/manager-api.ts';
import { connectClient, openSession, type PlainSession } from '../support/mcp-client.ts';
import { both, type EventReader, json, openReader } from '../support/mcp-exchange.ts';
import { type RunningService, runService } from '../support/run-service.ts';
import { configFiles, faultConfig } from '../support/test-servers.ts';
import { waitUntil } from '../support/wait-until.ts';

const test = suite('the end of a process');
const group = 'svc-global';
const sentence = 'The gateway is restarting; the call may or may not have run.';
const latest = { protocolVersion: '2025-11-25' };
const limitMs = 20_000;
let service: RunningService;

test.before(async () => {
  service = await startService({ SHUTDOWN_SECONDS: '1' });
});

test.after(() => service?.remove());

async function startService(env: Record<string, string>): Promise<RunningService> {
  const started = await runService({
    env,
    configs: configFiles(faultConfig('fault'), faultConfig('stray', ['--on-start', 'stray'])),
    groups: { [group]: { name: group, included_tools: [], included_servers: ['fault', 'stray'] } },
  });
  const isListed = async () => (await readServer(started, 'stray')).tool_count > 0;
  await waitUntil('the servers are listed', isListed, { limitMs });
  return started;
}

/** A call that its server never answers. */
function hang(
  { id }: PlainSession,
  headers: Record<string, string>,
  signal?: AbortSignal,
): Promise<Response> {
  const params = { name: 'fault__hang', arguments: {} };
  return fetch(service.groupUrl(), {
    method: 'POST',
    headers: { ...json, ...headers, 'mcp-session-id': id },
    body: JSON.stringify({ jsonrpc: '2.0', id: 'long', method: 'tools/call', params }),
    signal: signal ?? null,
  });
}

/** GET with or without an id to go on from. */
function listen({ id }: PlainSession, lastEventId?: string): Promise<Response> {
  const headers: Record<string, string> = { ...both, 'mcp-session-id': id };
  if (lastEventId !== undefined) headers['last-event-id'] = lastEventId;
  return fetch(service.groupUrl(), { headers });
}

async function untilCallsAreUnderWay(count: number): Promise<void> {
  const areUnderWay = async () => {
    const metrics = await (await fetch(`${service.gatewayUrl}/metrics`)).text();
    return metrics.includes(`svc_mcp_calls_in_flight ${count}\n`);
  };
  await waitUntil(`${count} calls are under way`, areUnderWay, { limitMs });
}

/** The first id on a stream that is primed. */
async function firstId(reader: EventReader): Promise<string> {
  return /^id: (.*)$/m.exec(await reader.nextWithId())?.[1] ?? '';
}

/** What a stream brings until it ends; rejects when it is cut. */
async function messagesUntilEnd(reader: EventReader): Promise<string> {
  const text = await reader.rest();
  return [...text.matchAll(/^data: (.+)$/gm)].map(([, data]) => data).join('\n');
}

function assertTold(message: unknown): void {
  const result = { content: [{ type: 'text', text: sentence }], isError: true };
  assert.equal(message, { jsonrpc: '2.0', id: 'long', result });
}

test('calls that will not finish are answered in every way of waiting, and streams end', async () => {
  const session = await openSession(service.groupUrl(), latest);
  const older = await openSession(service.groupUrl());
  const plain = hang(session, {});
  const streamed = openReader(await hang(session, both));
  const ofOlder = openReader(await hang(older, both));
  const leaving = new AbortController();
  const resumedId = await firstId(openReader(await hang(session, both, leaving.signal)));
  const leftId = await firstId(openReader(await hang(session, both, leaving.signal)));
  await untilCallsAreUnderWay(5);
  leaving.abort();
  const resumed = openReader(await listen(session, resumedId));
  const listening = openReader(await listen(session));

  const ended = service.stop();
  const [answer, ...streams] = await Promise.all([
    plain.then((response) => response.json()),
    ...[streamed, ofOlder, resumed].map(messagesUntilEnd),
  ]);

  assertTold(answer);
  for (const stream of streams) assertTold(JSON.parse(stream));
  assert.is(await messagesUntilEnd(listening), '');
  assert.is(await ended, 0);
  assert.not.match(service.output(), 'Ending:');

  await service.restart();
  assertTold(JSON.parse(await messagesUntilEnd(openReader(await listen(session, leftId)))));
});

test('until it is over new requests are served, over new connections, and readiness is 503', async () => {
  const session = await openSession(service.groupUrl());
  const waiting = hang(session, {});
  await untilCallsAreUnderWay(1);

  const ended = service.stop();
  const isReported = async () => (await fetch(`${service.gatewayUrl}/readyz`)).status === 503;
  await waitUntil('readiness is 503', isReported, { limitMs, everyMs: 5 });
  const echo = { name: 'fault__echo', arguments: { message: 'still here' } };
  const answer = await session.request('tools/call', echo);
  const opened = await openSession(service.groupUrl());

  assert.is(answer.body?.result?.content[0].text, 'still here', answer.text);
  assert.is(answer.headers.get('connection'), 'close');
  assert.is(opened.initialized.status, 200);
  assertTold(await (await waiting).json());
  assert.is(await ended, 0);
  await service.restart();
});

test('the official client gets an answer to its call, and hears of changes after the restart', async () => {
  const { client, close } = await connectClient(service.groupUrl());
  let heard = 0;
  client.fallbackNotificationHandler = async ({ method }) => {
    if (method === 'notifications/tools/list_changed') heard += 1;
  };
  const call = client.callTool({ name: 'fault__slow', arguments: { ms: 25_000 } });
  await untilCallsAreUnderWay(1);

  await service.restart();

  const result = await call;
  assert.equal(result, { content: [{ type: 'text', text: sentence }], isError: true });
  await switchTool(service, group, 'fault__echo', false);
  await waitUntil('the change is heard', () => heard > 0, { limitMs });
  await switchTool(service, group, 'fault__echo', true);
  await close();
});

test('with nothing under way it does not wait, whoever listens', async () => {
  const unlimited = await startService({ SHUTDOWN_SECONDS: '600' });
  try {
    const session = await openSession(unlimited.groupUrl(), latest);
    const headers = { ...both, 'mcp-session-id': session.id };
    const listening = openReader(await fetch(unlimited.groupUrl(), { headers }));
    const page = openReader(await fetch(`${unlimited.managerUrl}/api/events`));
    await listening.next();
    await page.next();

    const ended = unlimited.stop();

    assert.is(await messagesUntilEnd(listening), '');
    await page.rest();
    assert.is(await ended, 0);
  } finally {
    await unlimited.remove();
  }
});

test('with DRAIN_SECONDS an idle process goes on serving, and listeners are told to come back before its end', async () => {
  const draining = await startService({ DRAIN_SECONDS: '4' });
  try {
    const session = await openSession(draining.groupUrl(), latest);
    const headers = { ...both, 'mcp-session-id': session.id };
    const listening = openReader(await fetch(draining.groupUrl(), { headers }));
    const begun = performance.now();

    const ended = draining.stop();
    const isReported = async () => (await fetch(`${draining.gatewayUrl}/readyz`)).status === 503;
    await waitUntil('readiness is 503', isReported, { limitMs, everyMs: 5 });
    const told = await listening.rest();
    const toldMs = performance.now() - begun;
    const again = await fetch(draining.groupUrl(), { headers });
    const answer = await session.request('tools/call', { name: 'fault__echo', arguments: { message: 'on' } });
    const opened = await openSession(draining.groupUrl());
    const exitCode = await ended;
    const endedMs = performance.now() - begun;

    assert.match(told, /\nretry: 1000\n\n$/);
    assert.is(again.status, 200);
    assert.is(answer.body?.result?.content[0].text, 'on', answer.text);
    assert.is(opened.initialized.status, 200);
    assert.is(exitCode, 0);
    assert.ok(toldMs > 1_900 && endedMs > 3_900, `told after ${toldMs} ms, ended after ${endedMs} ms`);
    assert.not.match(draining.output(), /Ending:|failed/);
  } finally {
    await draining.remove();
  }
});

test('a second SIGTERM ends a process that drains at once', async () => {
  const draining = await startService({ DRAIN_SECONDS: '600' });
  try {
    const ended = draining.stop();
    await waitUntil('it is ending', () => draining.output().includes('stopping'), { limitMs });
    process.kill(draining.pid(), 'SIGTERM');

    assert.is(await ended, 1);
  } finally {
    await draining.remove();
  }
});

/** Both servers, and what the stray one started. */
async function startProcesses(of: RunningService): Promise<number[]> {
  const session = await openSession(of.groupUrl());
  for (const name of ['fault__echo', 'stray__echo']) await session.request('tools/call', { name });
  const servers = childrenOf(of.pid(), 'fault-server');
  const processes = [...servers, ...servers.flatMap((server) => childrenOf(server, 'stray'))];
  assert.is(processes.length, 3);
  return processes;
}

test('an orderly end takes grandchildren along that went away into a session of their own', async () => {
  const processes = await startProcesses(service);

  assert.is(await service.stop(), 0);

  assert.equal(processes.filter(isAlive), []);
  await service.restart();
});

test('a second SIGTERM ends it at once, and every process of its servers', async () => {
  const unlimited = await startService({ SHUTDOWN_SECONDS: '600' });
  try {
    const session = await openSession(unlimited.groupUrl());
    void session.request('tools/call', { name: 'fault__hang' }).catch(() => {});
    const processes = await startProcesses(unlimited);

    const ended = unlimited.stop();
    await waitUntil('it is ending', () => unlimited.output().includes('stopping'), { limitMs });
    process.kill(unlimited.pid(), 'SIGTERM');

    assert.is(await ended, 1);
    assert.equal(processes.filter(isAlive), []);
  } finally {
    await unlimited.remove();
  }
});

test('kill -9 of the service: its servers and their children are gone within seconds', async () => {
  const processes = await startProcesses(service);

  await service.kill9();

  await waitUntil('they are gone', () => !processes.some(isAlive), { limitMs });
  await service.restart();
});

test.run();
