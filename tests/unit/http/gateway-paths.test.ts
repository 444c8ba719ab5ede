import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import {
  StreamableHTTPClientTransport,
  type StreamableHTTPClientTransportOptions,
} from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isOAuthPath } from '../../../lib/http/gateway-paths.ts';
import { endpoint, initializeMessage, post, read } from '../../support/mcp-exchange.ts';
import { sendRaw } from '../../support/raw-http.ts';
import { onBothLegs, onNodeLeg, usualGuard } from '../../support/two-legs.ts';

const test = suite('no OAuth');
const token = 'correct-horse';
const guard = usualGuard({ token, isOpen: isOAuthPath });

/** As clients form them (RFC 9728 section 3.1, RFC 8414 section 3.1, OpenID Connect Discovery section 4). */
const looked = ['oauth-protected-resource', 'oauth-authorization-server', 'openid-configuration'].flatMap(
  (name) => [
    `/.well-known/${name}`,
    `/.well-known/${name}/mcp`,
    `/.well-known/${name}${endpoint}`,
    `${endpoint}/.well-known/${name}`,
  ],
);
const asked = ['/register', '/authorize?response_type=code', '/token'];

onBothLegs(test, 'whatever OAuth asks for is not there, in words that help', async ({ fetch }) => {
  for (const path of [...looked, ...asked]) {
    const got = await read(await fetch(path));
    const posted = await post(fetch, { client_name: 'x' }, {}, path);
    for (const { status, body, headers } of [got, posted]) {
      assert.equal([status, body.success, body.code], [404, false, 'not_found'], path);
      assert.is(headers.get('content-type'), 'application/json');
      assert.match(body.error, /no OAuth.*GATEWAY_TOKEN/);
      assert.is(body.error_description, body.error, 'where OAuth clients look for a sentence');
      assert.match(body.request_id, /^\w+$/);
    }
  }
});

onBothLegs(test, 'paths that only look like those are as any other', async ({ fetch }) => {
  for (const path of ['/registered', '/token/x', '/.well-known/oauth', '/x/register', '/.well-known/']) {
    const answer = await read(await fetch(path));

    assert.is(answer.status, 404, path);
    assert.is(answer.body.error_description, undefined, path);
  }
});

test('it takes no token to be told so', async () => {
  const onLeg: Parameters<typeof onNodeLeg>[0] = async ({ fetch }) => {
    for (const path of [...looked, ...asked]) {
      const from = { Origin: 'http://localhost:6274' };
      const got = await read(await fetch(path, { headers: from }));
      const wrong = await read(await fetch(path, { headers: { Authorization: 'Bearer wrong' } }));
      assert.equal([got.status, got.body.code], [404, 'not_found'], path);
      assert.is(wrong.status, 404, path);
      assert.is(got.headers.get('access-control-allow-origin'), from.Origin, path);
    }
    assert.is((await fetch('/api/v0/tools')).status, 401);
    assert.is((await post(fetch, initializeMessage())).status, 401);
  };
  await onNodeLeg(onLeg, {}, guard);
});

test('no spelling of such a path leads past the token', async () => {
  const detours = [
    '/.well-known/oauth-protected-resource/../../api/v0/tools',
    '/.well-known/oauth-protected-resource/%2e%2e/%2E%2e/api/v0/tools',
    '/.well-known/oauth-protected-resource/..\\..\\api/v0/tools',
    '/api/v0/tools/x/../.well-known/openid-configuration/../..',
    '//x/.well-known/openid-configuration/../../api/v0/tools',
    '/token/../api/v0/tools',
    '/register/',
    '/api/v0/tools#/.well-known/openid-configuration',
  ];
  await onNodeLeg(
    async ({ port }) => {
      for (const path of detours) {
        const answer = await sendRaw(port, Buffer.from(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`));
        assert.is(answer.status, 401, path);
      }
    },
    {},
    guard,
  );
});

interface Chase {
  readonly failure: string;
  /** Each `METHOD path status`. */
  readonly requests: readonly string[];
}

/** Connects the official client without a token. */
async function connect(options: StreamableHTTPClientTransportOptions = {}): Promise<Chase> {
  const requests: string[] = [];
  let failure = '';
  await onNodeLeg(
    async ({ port }) => {
      const noting: typeof fetch = async (url, init) => {
        const response = await fetch(url, init);
        requests.push(`${init?.method ?? 'GET'} ${new URL(`${url}`).pathname} ${response.status}`);
        return response;
      };
      const url = new URL(`http://127.0.0.1:${port}${endpoint}`);
      const transport = new StreamableHTTPClientTransport(url, { ...options, fetch: noting });
      const client = new Client({ name: 'test', version: '1' });
      await client.connect(transport).catch((error: unknown) => {
        failure = String(error);
      });
      await client.close();
    },
    {},
    guard,
  );
  return { failure, requests };
}

test('the official client is told of the missing token, and asks for nothing else', async () => {
  const { failure, requests } = await connect();

  assert.match(failure, /This port needs `Authorization: Bearer <token>`/);
  assert.equal(requests, [`POST ${endpoint} 401`]);
});

test('the official client that would do OAuth learns that there is none', async () => {
  const { failure, requests } = await connect({
    authProvider: {
      redirectUrl: 'http://127.0.0.1:1/callback',
      clientMetadata: { redirect_uris: ['http://127.0.0.1:1/callback'] },
      clientInformation: () => undefined,
      saveClientInformation: () => {},
      tokens: () => undefined,
      saveTokens: () => {},
      redirectToAuthorization: () => assert.unreachable('nobody is sent anywhere'),
      saveCodeVerifier: () => {},
      codeVerifier: () => '',
    },
  });

  assert.match(failure, /no OAuth.*GATEWAY_TOKEN/);
  assert.is(requests[0], `POST ${endpoint} 401`);
  assert.ok(requests.length > 2, `${requests}`);
  assert.equal(
    requests.slice(1).filter((line) => !line.endsWith(' 404')),
    [],
  );
});

test.run();
