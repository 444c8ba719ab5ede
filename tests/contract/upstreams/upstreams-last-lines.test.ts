/** What a server says before it fails, told to whoever starts it and in its status; its callers are told our sentence alone. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { defaultTimeouts, type ServerConfig } from '../../../lib/config/server-config.ts';
import type { Failure } from '../../../lib/failure.ts';
import { startHttpServer } from '../../support/http-server.ts';
import {
  createUpstreamFixture,
  failureOf,
  faultConfig,
  reference,
  serverConfig,
} from '../../support/upstream-fixture.ts';

const test = suite('the last lines before a failure');

const fixture = createUpstreamFixture();
const { upstreams, call, callText, secrets } = fixture;
test.after(() => fixture.close());

/** A program that is no MCP server. */
const program = (name: string, script: string, fields: Partial<ServerConfig> = {}) =>
  serverConfig({ name, command: process.execPath, args: ['-e', script], ...fields });

async function refusal(config: ServerConfig): Promise<Failure> {
  return (await failureOf(upstreams.prepare(config))) as Failure;
}

test('a server that ends for lack of a variable: the line that says so is quoted, all are in the details', async () => {
  const failure = await refusal(program('keyless', `throw new Error('API_KEY is not set')`));

  assert.is(
    failure.message,
    'The server "keyless" is unavailable: its process ended with code 1. It wrote: "Error: API_KEY is not set".',
  );
  const tail = failure.details?.log_tail as string[];
  assert.ok(tail.includes('Error: API_KEY is not set'), tail.join('\n'));
  assert.ok(tail.length <= 20);
});

test('its status has them until it starts, and who calls it is told our sentence alone', async () => {
  const config = program('later', `console.error('\\x1b[31mError: no config\\x1b[0m'); process.exit(4)`);
  upstreams.install(config);

  const failure = (await failureOf(call('later', 'echo'))) as Failure;

  assert.is(failure.message, 'The server "later" is unavailable: its process ended with code 4.');
  assert.is(failure.details, undefined);
  const status = upstreams.status('later');
  assert.equal(status?.lastErrorLines, ['Error: no config']);
  assert.is(status?.lastError, failure.message);

  upstreams.install(faultConfig('later'));
  assert.is(await callText('later', 'echo'), 'echo');
  assert.equal(upstreams.status('later')?.lastErrorLines, []);
});

test('lines of the start before are not among them', async () => {
  upstreams.install(program('twice', `console.error('Error: ' + process.pid); process.exit(1)`));
  await failureOf(call('twice', 'echo'));
  const [first] = upstreams.status('twice')?.lastErrorLines ?? [];

  const failure = (await failureOf(upstreams.restart('twice'))) as Failure;

  const lines = failure.details?.log_tail as string[];
  assert.is(lines.length, 1);
  assert.is.not(lines[0], first);
  assert.match(failure.message, /It wrote: "Error: \d+"\.$/);
});

test('values of secrets and literals are not among them', async () => {
  secrets.set('KEY_OF_LAST_LINES', 'value-of-the-secret');
  const env = { KEY: reference('KEY_OF_LAST_LINES'), LITERAL: 'value-of-the-literal' };
  const script = `throw new Error('bad keys ' + process.env.KEY + ' and ' + process.env.LITERAL)`;

  const failure = await refusal(program('telling', script, { env }));

  assert.match(failure.message, 'Error: bad keys *** and ***');
  assert.not.match(JSON.stringify(failure), 'value-of-the');
  assert.not.match(JSON.stringify(failure.details), 'value-of-the');
});

test('a question at a prompt is among them though its line never ends', async () => {
  const timeouts = { ...defaultTimeouts, startMs: 1_500 };
  const script = `process.stderr.write('Enter your API key: '); process.stdin.resume()`;

  const failure = await refusal(program('prompt', script, { timeouts }));

  assert.is(failure.code, 'upstream_timeout');
  assert.equal(failure.details?.log_tail, ['Enter your API key:']);
  assert.match(failure.message, /It wrote: "Enter your API key:"\.$/);
});

test('a server that refuses to be initialized says why', async () => {
  const failure = await refusal(faultConfig('refusing', ['--on-start', 'refuse']));

  assert.equal(failure.details?.log_tail, ['[initialize] no']);
});

/** Over HTTP, from a server that answers everything alike. */
async function httpRefusal(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  fields: Partial<ServerConfig> = {},
): Promise<Failure> {
  const server = await startHttpServer((request, response) => {
    request.resume();
    answer(request, response);
  });
  try {
    const url = `http://${server.address}/mcp`;
    return await refusal(serverConfig({ name: 'there', transport: 'streamable_http', url, ...fields }));
  } finally {
    await server.close();
  }
}

const says =
  (status: number, text: string, headers: Record<string, string> = {}) =>
  (_request: IncomingMessage, response: ServerResponse) =>
    void response.writeHead(status, { 'content-type': 'text/plain', ...headers }).end(text);
const page = { 'content-type': 'text/html; charset=utf-8' };
const sse = { transport: 'sse' as const };

for (const transport of ['streamable_http', 'sse'] as const) {
  test(`${transport}: 401 to who sent no credentials says that it wants some, and how to give them`, async () => {
    const json = { 'content-type': 'application/json' };
    const failure = await httpRefusal(says(401, '{"error":"invalid_token"}', json), { transport });

    assert.match(failure.message, 'it wants credentials and was sent none (HTTP 401): give a token');
    assert.match(failure.message, '`bearer_token`');
    assert.match(failure.message, '`headers`');
    assert.not.match(failure.message, 'refused our');
    assert.equal(failure.details?.log_tail, ['[HTTP 401] {"error":"invalid_token"}']);
  });

  test(`${transport}: 401 to who sent some says that these were refused, and shows none`, async () => {
    const bearerToken = 'a-token-that-was-refused';

    const failure = await httpRefusal(says(401, `No: ${bearerToken}`), { transport, bearerToken });

    assert.match(failure.message, 'it refused our credentials (HTTP 401)');
    assert.equal(failure.details?.log_tail, ['[HTTP 401] No: ***']);
    assert.not.match(JSON.stringify([failure.message, failure.details]), bearerToken);
  });

  test(`${transport}: of credentials that an answer repeats no part is shown, wherever it is cut`, async () => {
    const headers = { Authorization: `Bearer secret-${'0123456789'.repeat(4)}` };

    for (const filling of [360, 380, 385, 395]) {
      const text = `${'x'.repeat(filling)} secret-${'0123456789'.repeat(4)}`;
      const failure = await httpRefusal(says(400, text), { transport, headers });

      assert.not.match(JSON.stringify([failure.message, failure.details]), 'secret-');
      assert.equal(failure.details?.log_tail, [`[HTTP 400] ${text.slice(0, filling + 1)}***`]);
    }
  });

  test(`${transport}: a web page is called one`, async () => {
    const html = '<html><head><title>Shop</title><style>a{}</style></head><body>Welcome</body></html>';

    const failure = await httpRefusal(says(200, html, page), { transport });

    assert.match(failure.message, 'it answered with a web page (HTTP 200): its address is the one of a site');
    assert.equal(failure.details?.log_tail, ['[HTTP 200] Shop Welcome']);
  });
}

test('a site that takes no POST answers with a web page, not with 405', async () => {
  const failure = await httpRefusal(says(405, '<h1>405 Not Allowed</h1>', page));

  assert.match(failure.message, 'a web page (HTTP 405)');
});

test('a login in a browser is told where the server offers one', async () => {
  const challenge = 'Bearer resource_metadata="https://auth.example/.well-known/oauth-protected-resource"';

  const failure = await httpRefusal(says(401, '', { 'www-authenticate': challenge }));

  assert.match(failure.message, 'it wants credentials and was sent none (HTTP 401)');
  assert.match(failure.message, '(OAuth), which the gateway cannot do for you');
});

test('a server of the newer protocol that is taken for one with SSE is told apart', async () => {
  const failure = await httpRefusal(says(405, 'Method not allowed'), sse);

  assert.match(failure.message, 'it opens no event stream (HTTP 405)');
  assert.match(failure.message, '"streamable_http"');
});

test('SSE where nobody listens says so', async () => {
  const failure = await refusal(serverConfig({ name: 'nobody', ...sse, url: 'http://127.0.0.1:1/sse' }));

  assert.match(failure.message, 'is unavailable: it refuses connections');
});

test('SSE whose refusal never ends is told all the same', async () => {
  const failure = await httpRefusal(
    (_request, response) => void response.writeHead(503, { 'content-type': 'text/plain' }).write('Busy'),
    sse,
  );

  assert.match(failure.message, 'it answered with HTTP status 503');
  assert.equal(failure.details?.log_tail, ['[HTTP 503] Busy']);
});

test.run();
