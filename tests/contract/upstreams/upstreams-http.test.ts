import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { defaultLimits, defaultTimeouts, type ServerConfig } from '../../../lib/config/server-config.ts';
import {
  createUpstreamFixture,
  failureOf,
  type ListeningServer,
  serverConfig,
  startHttpFaultServer,
  until,
} from '../../support/upstream-fixture.ts';

const test = suite('a server over Streamable HTTP');

const fixture = createUpstreamFixture();
const { upstreams, listings, call, callText } = fixture;
const folder = mkdtempSync(join(tmpdir(), 'upstreams-http-'));
const journal = join(folder, 'journal');
const servers: ListeningServer[] = [];

async function install(name: string, flags: readonly string[], fields: Partial<ServerConfig> = {}) {
  const server = await startHttpFaultServer(flags);
  servers.push(server);
  upstreams.install(httpConfig(name, server.port, fields));
  return server;
}

function httpConfig(name: string, port: number, fields: Partial<ServerConfig> = {}): ServerConfig {
  return serverConfig({ name, transport: 'streamable_http', url: `http://127.0.0.1:${port}/mcp`, ...fields });
}

function recorded(): { headers?: Record<string, string>; method?: string; deleted?: string }[] {
  return readFileSync(journal, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

test.before(async () => {
  await install('json', ['--journal', journal], { headers: { 'X-Team': 'blue' }, bearerToken: 'token' });
  await install('events', ['--sse', 'yes']);
});
test.after(async () => {
  await fixture.close();
  await Promise.all(servers.map((server) => server.kill()));
  rmSync(folder, { recursive: true });
});

test('answers in JSON come back as the server wrote them', async () => {
  const answer = await call('json', 'big_numbers');

  assert.equal(answer, { result: '{"n":12345678901234567890,"future":{"a":1.0,"a":2}}' });
});

test('answers in an event stream come back as the server wrote them', async () => {
  const answer = await call('events', 'big_numbers');

  assert.equal(answer, { result: '{"n":12345678901234567890,"future":{"a":1.0,"a":2}}' });
});

test('each request carries session, version, both accepted types and the configured headers', () => {
  const [initialize, , list] = recorded().flatMap(({ headers }) => (headers ? [headers] : []));

  assert.is(initialize?.['mcp-session-id'], undefined);
  assert.match(list?.['mcp-session-id'] ?? '', /^[0-9a-f-]{36}$/);
  assert.is(list?.['mcp-protocol-version'], '2025-11-25');
  assert.is(list?.accept, 'application/json, text/event-stream');
  assert.is(list?.['x-team'], 'blue');
  assert.is(list?.authorization, 'Bearer token');
});

test('initialized is taken before the first further request', () => {
  const methods = recorded().flatMap(({ method }) => method ?? []);

  assert.equal(methods.slice(0, 3), ['initialize', 'notifications/initialized', 'tools/list']);
});

test('progress arrives in order, before the answer', async () => {
  const seen: unknown[] = [];

  const answer = await callText(
    'events',
    'progress',
    {},
    {
      onProgress: (message) => seen.push(JSON.parse(message).params.progress),
    },
  );

  assert.is(answer, 'done');
  assert.equal(seen, [1, 2, 3, 4, 5]);
});

test('list_changed on the GET stream lists the tools again', async () => {
  const before = listings.length;

  await callText('events', 'list_changed');

  await until(() => listings.length > before);
  assert.ok(listings.at(-1)?.tools.some(({ name }) => name === 'new_0'));
});

test('a server without a GET stream works', async () => {
  await install('getless', ['--get', 'no']);

  assert.is(await callText('getless', 'echo', { message: 'hello' }), 'hello');
});

test('a megabyte goes there and back, in both kinds of answer', async () => {
  const message = 'é'.repeat(500_000);

  assert.is(await callText('json', 'echo', { message }), message);
  assert.is(await callText('events', 'echo', { message }), message);
});

test('an answer over the limit fails the call, in both kinds of answer', async () => {
  const limits = { ...defaultLimits, responseBytes: 50_000 };
  upstreams.install(httpConfig('bounded', servers[0]?.port ?? 0, { limits }));
  upstreams.install(httpConfig('bounded-events', servers[1]?.port ?? 0, { limits }));

  const json = await failureOf(call('bounded', 'huge_line', { bytes: 60_000 }));
  const events = await failureOf(call('bounded-events', 'huge_line', { bytes: 300_000 }));

  assert.match(json.message, '"bounded" is unavailable: its answer is longer than 50000 bytes');
  assert.match(events.message, 'its answer is longer than 50000 bytes');
  assert.is(await callText('bounded', 'echo', { message: 'still there' }), 'still there');
});

test('a session that the server forgot is begun anew, and the refused call is sent again', async () => {
  await callText('json', 'forget_sessions');

  assert.is(await callText('json', 'echo', { message: 'again' }), 'again');
});

test('many calls that lost their session together share one new one', async () => {
  const initialized = () => recorded().filter(({ method }) => method === 'initialize').length;
  await callText('json', 'forget_sessions');
  const before = initialized();

  const answers = await Promise.all(
    Array.from({ length: 16 }, (_, n) => callText('json', 'echo', { message: String(n) })),
  );

  assert.equal(
    answers,
    Array.from({ length: 16 }, (_, n) => String(n)),
  );
  assert.is(initialized(), before + 1);
});

test('a hung call fails at its time-out while others go on', async () => {
  const timeouts = { ...defaultTimeouts, callMs: 300 };
  upstreams.install(httpConfig('hanging', servers[0]?.port ?? 0, { timeouts }));

  const hanging = failureOf(call('hanging', 'hang'));
  assert.is(await callText('hanging', 'echo', { message: 'quick' }), 'quick');

  assert.is((await hanging).code, 'upstream_timeout');
});

test('an answer that breaks off fails the call at once and is not asked for again', async () => {
  const failure = await failureOf(call('json', 'broken_answer'));

  assert.is(failure.message, 'The server "json" is unavailable: its connection broke.');
});

test('an HTTP error fails the call with its status', async () => {
  const failure = await failureOf(call('json', 'status_500'));

  assert.match(failure.message, 'it answered with HTTP status 500');
});

test('redirects are not followed and missing credentials are named', async () => {
  const redirecting = await startHttpFaultServer(['--on-start', 'redirect']);
  const strict = await startHttpFaultServer(['--on-start', 'unauthorized']);
  servers.push(redirecting, strict);

  const redirected = await failureOf(upstreams.prepare(httpConfig('moved', redirecting.port)));
  const refused = await failureOf(upstreams.prepare(httpConfig('strict', strict.port)));

  assert.match(redirected.message, 'it answered with a redirect, which is not followed');
  assert.match(refused.message, 'it wants credentials and was sent none (HTTP 401)');
});

test('nobody there: the failure says so, and not that time ran out', async () => {
  const failure = await failureOf(upstreams.prepare(httpConfig('nobody', 1)));

  assert.is(failure.message, 'The server "nobody" is unavailable: it refuses connections.');
  assert.is(failure.code, 'upstream_unavailable');
});

test('metadata and link-local addresses are refused, however they are written', async () => {
  const urls = [
    'http://169.254.169.254/latest/',
    'http://2852039166/',
    'http://[fe80::1]/',
    'http://[::ffff:169.254.169.254]/',
    'http://0.0.0.0:3700/mcp',
  ];
  for (const transport of ['streamable_http', 'sse'] as const) {
    for (const url of urls) {
      const failure = await failureOf(upstreams.prepare(serverConfig({ name: 'meta', transport, url })));
      assert.match(failure.message, 'its address is link-local or names no single host', url);
    }
  }
});

test('ALLOWED_UPSTREAMS narrows the addresses', async () => {
  const narrow = createUpstreamFixture({ allowedUpstreams: ['tools.example.org'] });

  const failure = await failureOf(narrow.upstreams.prepare(httpConfig('other', servers[0]?.port ?? 0)));

  assert.match(failure.message, 'not among the allowed ones (ALLOWED_UPSTREAMS)');
  await narrow.close();
});

test('a header that cannot be sent is a failure that does not show its value', async () => {
  const config = httpConfig('header', servers[0]?.port ?? 0, { bearerToken: 'se\ncret' });

  const failure = await failureOf(upstreams.prepare(config));

  assert.match(failure.message, 'one of its headers holds a character that headers cannot hold');
  assert.not.match(failure.message, 'cret');
});

test('closing ends the session at the server', async () => {
  await upstreams.remove('json');

  assert.ok(recorded().some(({ deleted }) => deleted !== undefined));
});

test('goes on with an answer whose stream the server ended before, as often as it brings something', async () => {
  await install('polled', ['--sse', 'yes']);
  const progress: string[] = [];

  let hangUps = 0;
  const clientChannel = {
    ...{ canAnswer: false, logLevel: undefined, notify() {}, ask: async () => ({ error: '{}' }) },
    hangUp: () => void hangUps++,
  };

  const more = { onProgress: (one: string) => progress.push(one), clientChannel };
  const text = await callText('polled', 'cut_off', { times: 4 }, more);

  assert.is(text, 'resumed');
  assert.is(hangUps, 1);
  assert.is(progress.length, 3);
});

test('fails the call when the server cannot go on with its answer', async () => {
  await install('forgetful', ['--sse', 'yes']);

  const failure = await failureOf(call('forgetful', 'cut_off', { forgets: true }));

  assert.is(failure.code, 'upstream_unavailable');
  assert.match(failure.message, 'ended its answer without a result');
  assert.is(await callText('forgetful', 'echo'), 'echo');
});

test('does not ask for the rest of an answer that nobody waits for any more', async () => {
  rmSync(journal, { force: true });
  await install('abandoned', ['--sse', 'yes', '--journal', journal]);
  const abort = new AbortController();
  const clientChannel = {
    ...{ canAnswer: false, logLevel: undefined, notify() {}, ask: async () => ({ error: '{}' }) },
    hangUp: () => abort.abort(),
  };

  await failureOf(call('abandoned', 'cut_off', { retry: 50 }, { signal: abort.signal, clientChannel }));
  // Its rest is asked for later than that of the one before would be.
  assert.is(await callText('abandoned', 'cut_off', { retry: 200 }), 'resumed');

  assert.is(readFileSync(journal, 'utf8').match(/"resumed"/g)?.length, 1);
});

test.run();
