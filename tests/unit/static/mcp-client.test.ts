import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { latestProtocolVersion } from '../../../lib/json-rpc/protocol-versions.ts';
import { callTool } from '../../../static/try-tool/mcp-client.js';
import { createGatewayFixture } from '../../support/gateway-fixture.ts';
import { waitUntil } from '../../support/wait-until.ts';

const test = suite('a tool call as the dashboard makes it');
const protocolVersion = latestProtocolVersion;
const endpoint = 'http://127.0.0.1:3700/v0/groups/svc-global/mcp';

/** The real gateway, and what was asked of it. */
function gateway() {
  const fixture = createGatewayFixture();
  const methods: string[] = [];
  async function fetcher(url: string | URL | Request, init?: RequestInit): Promise<Response> {
    const method = /"method":"([^"]+)"/.exec(String(init?.body ?? ''))?.[1];
    methods.push(method ?? String(init?.method));
    return fixture.handle(new Request(url, init));
  }
  const call = (more: object = {}) =>
    callTool({ endpoint, protocolVersion, tool: 'demo__echo', argumentsJson: '{}', fetcher, ...more });
  return { ...fixture, methods, call };
}

function answering(status: number, body: string): typeof fetch {
  return async () => new Response(body, { status, headers: { 'Content-Type': 'application/json' } });
}

async function failureOf(call: Promise<unknown>): Promise<Error & { status?: number }> {
  return await call.then(
    () => assert.unreachable(),
    (error) => error,
  );
}

test('it opens a session, calls, and ends the session', async () => {
  const { call, methods, upstreams } = gateway();
  upstreams.answerWith(() => ({ result: '{"content":[{"type":"text","text":"hi"}]}' }));

  const { result, milliseconds } = await call();

  assert.equal(result, { content: [{ type: 'text', text: 'hi' }] });
  assert.ok(milliseconds >= 0);
  assert.equal(methods, ['initialize', 'notifications/initialized', 'tools/call', 'DELETE']);
});

test('arguments reach the server as they were typed, large numbers too', async () => {
  const { call, upstreams } = gateway();

  await call({ argumentsJson: '{"id":9007199254740993}' });

  assert.match(upstreams.calls[0]?.params ?? '', '"arguments":{"id":9007199254740993}');
});

test('progress is told before the result', async () => {
  const { call, upstreams } = gateway();
  upstreams.answerWith((relayed) => {
    relayed.progress({ progress: 1, total: 2, message: 'half' });
    return { result: '{"content":[]}' };
  });
  const told: object[] = [];

  await call({
    onProgress: ({ progress, total, message }: never) => told.push({ progress, total, message }),
  });

  assert.equal(told, [{ progress: 1, total: 2, message: 'half' }]);
});

test('cancelling reaches the server, and ends the session', async () => {
  const { call, methods, upstreams } = gateway();
  upstreams.answerWith(() => new Promise(() => {}));
  const leaving = new AbortController();
  const failed = failureOf(call({ signal: leaving.signal }));
  await waitUntil('the call is under way', () => upstreams.calls.length > 0, { everyMs: 1 });

  leaving.abort();

  await failed;
  await waitUntil('the server knows', () => upstreams.calls[0]?.signal.aborted === true, { everyMs: 1 });
  assert.equal(methods.slice(-2), ['notifications/cancelled', 'DELETE']);
});

test('a tool outside the group is refused in the words of the gateway', async () => {
  const { call, methods } = gateway();

  const { message } = await failureOf(call({ tool: 'demo__hidden' }));

  assert.match(message, /demo__hidden/);
  assert.is(methods.at(-1), 'DELETE');
});

test('a gateway that wants a token is told apart by its status', async () => {
  const body = '{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"A token is needed."}}';

  const failure = await failureOf(
    callTool({ endpoint, protocolVersion, tool: 't', argumentsJson: '{}', fetcher: answering(401, body) }),
  );

  assert.is(failure.status, 401);
  assert.is(failure.message, 'A token is needed.');
});

test('a gateway that does not answer, or not in JSON, is said in words', async () => {
  const away = async () => Promise.reject(new TypeError('fetch failed'));

  const one = await failureOf(
    callTool({ endpoint, protocolVersion, tool: 't', argumentsJson: '{}', fetcher: away }),
  );
  const two = await failureOf(
    callTool({ endpoint, protocolVersion, tool: 't', argumentsJson: '{}', fetcher: answering(502, '<h1>') }),
  );

  assert.is(one.message, 'The gateway does not answer.');
  assert.is(two.message, 'The gateway answered with HTTP 502.');
});

test.run();
