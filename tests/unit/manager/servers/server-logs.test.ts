import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ServerContainers } from '../../../../handlers/manager/context.ts';
import { parseServerConfig } from '../../../../lib/config/parse-server-config.ts';
import type { UpstreamStatus } from '../../../../lib/upstreams/upstreams.ts';
import { createManagerFixture } from './manager-fixture.ts';

const test = suite('GET /api/servers/{name}/logs');

/** A server that has written these lines and writes more when the test says so. */
function talkative(lines: readonly string[]) {
  const listeners = new Set<(line: string) => void>();
  return {
    listeners,
    say: (line: string) => listeners.forEach((listen) => void listen(line)),
    upstreams: {
      logs: (_name: string, tail: number) => lines.slice(-tail),
      followLogs: (_name: string, onLine: (line: string) => void) => {
        listeners.add(onLine);
        return () => void listeners.delete(onLine);
      },
    },
  };
}

function fixtureOf(server: ReturnType<typeof talkative>) {
  const fixture = createManagerFixture({ upstreams: server.upstreams });
  fixture.catalog.setTools('demo', []);
  return fixture;
}

test('answers the last lines, as many as asked for', async () => {
  const { call } = fixtureOf(talkative(['one', 'two', 'three']));

  assert.equal((await call('GET', '/api/servers/demo/logs')).body.lines, ['one', 'two', 'three']);
  assert.equal((await call('GET', '/api/servers/demo/logs?tail=1')).body.lines, ['three']);
});

test('refuses a tail that is no number, and an unknown server', async () => {
  const { call } = fixtureOf(talkative([]));

  assert.is((await call('GET', '/api/servers/demo/logs?tail=-1')).body.code, 'invalid_params');
  assert.is((await call('GET', '/api/servers/demo/logs?tail=all')).body.code, 'invalid_params');
  assert.is((await call('GET', '/api/servers/nosuch/logs?follow=1')).body.code, 'server_not_found');
});

test('follow streams the last lines and each one after, until the reader leaves', async () => {
  const server = talkative(['before']);
  const leaving = new AbortController();

  const response = await fixtureOf(server).fetch('/api/servers/demo/logs?follow=1', {
    signal: leaving.signal,
  });
  const reader = response.body?.getReader();
  const next = async () => new TextDecoder().decode((await reader?.read())?.value);

  assert.is(response.headers.get('content-type'), 'text/event-stream');
  assert.is(await next(), ': open\n\n');
  assert.match(await next(), 'data: {"line":"before"}\n\n');
  server.say('after');
  assert.match(await next(), 'data: {"line":"after"}\n\n');
  leaving.abort();
  await new Promise((resolve) => setTimeout(resolve));
  assert.is(server.listeners.size, 0);
});

test('a tail beyond what a stream holds begins with the newest lines that fit, and goes on', async () => {
  const server = talkative(Array.from({ length: 1_000 }, (_, line) => `${line} ${'x'.repeat(4_000)}`));

  const response = await fixtureOf(server).fetch('/api/servers/demo/logs?follow=1&tail=1000');
  server.say('after');
  let text = '';
  for await (const bytes of response.body ?? []) {
    text += new TextDecoder().decode(bytes);
    if (text.includes('after')) break;
  }

  const shown = [...text.matchAll(/"line":"(\d+) /g)].map(([, line]) => Number(line));
  const first = shown[0] ?? 0;
  assert.ok(first > 800 && first < 900, `it began with line ${first}`);
  assert.is(shown.length, 1_000 - first);
  assert.is(server.listeners.size, 0);
});

test('a reader that left before the last lines were there is not followed', async () => {
  const server = talkative([]);
  const leaving = new AbortController();
  const { fetch } = fixtureOf({
    ...server,
    upstreams: {
      ...server.upstreams,
      logs() {
        leaving.abort();
        return ['one'];
      },
    },
  });

  await fetch('/api/servers/demo/logs?follow=1', { signal: leaving.signal });

  assert.is(server.listeners.size, 0);
});

test('a reader that does not read is let go before it fills memory', async () => {
  const server = talkative([]);
  await fixtureOf(server).fetch('/api/servers/demo/logs?follow=1');

  for (let written = 0; written < 3_000_000; written += 1_000) server.say('x'.repeat(1_000));

  assert.is(server.listeners.size, 0);
});

const container = { name: 'svc-mcp-boxed', status: 'running', running: true, imageId: '' } as const;

/** A server in a container, whose engine has these lines. */
function boxed(containers: Partial<ServerContainers>) {
  const fixture = createManagerFixture({
    upstreams: { logs: () => ['of the connection'] },
    containers: { status: () => container, logs: async () => [], followLogs: async () => {}, ...containers },
  });
  fixture.catalog.store(parseServerConfig({ name: 'boxed', transport: 'stdio', image: 'a:1' }), []);
  return fixture;
}

test('the lines of a container are with the engine', async () => {
  const { call } = boxed({ logs: async (server, tail) => [`${server} ${tail}`] });

  assert.equal((await call('GET', '/api/servers/boxed/logs?tail=7')).body.lines, ['boxed 7']);
});

test('while the engine does not answer, what the connection has heard is shown', async () => {
  const { call } = boxed({
    logs: async () => {
      throw new Error('away');
    },
  });

  assert.equal((await call('GET', '/api/servers/boxed/logs')).body.lines, ['of the connection']);
});

test('of a container that is no more, too', async () => {
  const { call } = boxed({ logs: async () => [] });

  assert.equal((await call('GET', '/api/servers/boxed/logs')).body.lines, ['of the connection']);
});

test('the container of another process is followed over its restarts, until the reader leaves', async () => {
  const signals: AbortSignal[] = [];
  const { fetch } = boxed({
    logs: async () => ['run 0'],
    async followLogs(_server, onLine, signal) {
      signals.push(signal);
      onLine(`run ${signals.length}`);
      // The first run ends at once.
      if (signals.length > 1) await new Promise((resolve) => signal.addEventListener('abort', resolve));
    },
  });

  const response = await fetch('/api/servers/boxed/logs?follow=1');
  const reader = response.body?.getReader();
  const next = async () => new TextDecoder().decode((await reader?.read())?.value);

  assert.is(await next(), ': open\n\n');
  assert.match(await next(), '{"line":"run 0"}');
  assert.match(await next(), '{"line":"run 1"}');
  assert.match(await next(), '{"line":"run 2"}');
  await reader?.cancel();
  assert.ok(signals[1]?.aborted);
});

test('a container that this process is connected to is followed through the connection', async () => {
  const server = talkative([]);
  const fixture = createManagerFixture({
    upstreams: { ...server.upstreams, status: () => ({ state: 'connected' }) as UpstreamStatus },
    containers: { status: () => container, logs: async () => [], followLogs: () => new Promise(() => {}) },
  });
  fixture.catalog.store(parseServerConfig({ name: 'boxed', transport: 'stdio', image: 'a:1' }), []);

  const response = await fixture.fetch('/api/servers/boxed/logs?follow=1');
  const reader = response.body?.getReader();
  await reader?.read();
  server.say('after');

  assert.match(new TextDecoder().decode((await reader?.read())?.value), '{"line":"after"}');
  await reader?.cancel();
  assert.is(server.listeners.size, 0);
});

test.run();
