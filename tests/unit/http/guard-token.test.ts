import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Failure } from '../../../lib/failure.ts';
import { isEqualInConstantTime, type RequestFacts } from '../../../lib/http/guard.ts';
import { endpoint, initializeMessage, post } from '../../support/mcp-exchange.ts';
import { sendRaw } from '../../support/raw-http.ts';
import { onNodeLeg, usualGuard } from '../../support/two-legs.ts';

const test = suite('guard: token');
const token = 'correct-horse';
const guard = usualGuard({ token });

test('the token opens, in any spelling of the scheme', () => {
  guard(facts({ authorization: `Bearer ${token}` }));
  guard(facts({ authorization: `bearer  ${token}` }));
});

test('a missing, wrong, shortened or lengthened token is 401 with WWW-Authenticate', () => {
  const wrong = [
    null,
    '',
    token,
    'Bearer',
    'Bearer ',
    `Basic ${token}`,
    `Bearer ${token}x`,
    'Bearer correct-hors',
  ];

  for (const authorization of [...wrong, `Bearer ${token.toUpperCase()}`, `Bearer ${token} ${token}`]) {
    assert.throws(() => guard(facts({ authorization })), isUnauthorized, String(authorization));
  }
});

test('a wrong token is told from a missing one, in words for people and for programs', () => {
  const refusal = (authorization: string | null) => {
    try {
      guard(facts({ authorization }));
    } catch (error) {
      return error as Failure;
    }
    throw new Error('It was let in.');
  };
  const [missing, wrong] = [refusal(null), refusal('Bearer correct-hors')];

  assert.is(missing.message, 'This port needs `Authorization: Bearer <token>`.');
  assert.equal(missing.details, { reason: 'missing' });
  assert.is(missing.headers['WWW-Authenticate'], 'Bearer');
  assert.is(
    wrong.message,
    'The token in `Authorization` is not the one of this port; compare it with the one that the service was started with.',
  );
  assert.equal(wrong.details, { reason: 'wrong' });
  // RFC 6750, section 3.1.
  assert.is(wrong.headers['WWW-Authenticate'], 'Bearer error="invalid_token"');
  assert.is(refusal('').details?.reason, 'missing');
  assert.is(refusal('Bearer').details?.reason, 'missing');
  assert.is(refusal(`Basic ${token}`).details?.reason, 'missing');
});

test('health, readiness, the page and its files are open', () => {
  for (const path of ['/', '/healthz', '/readyz', '/static/app.js', '/static/']) guard(facts({ path }));
});

test('every other path needs the token, metrics too', () => {
  const paths = [
    endpoint,
    '/mcp',
    '/metrics',
    '/api/v0/tools',
    '/api/tools',
    '/healthz/',
    '//',
    '/static',
    '',
  ];

  for (const path of paths) assert.throws(() => guard(facts({ path })), isUnauthorized, path);
});

test('no spelling of an open path leads to a closed one', () => {
  const detours = [
    '/static/../api/tools',
    '/static/%2e%2e/api/tools',
    '/static/.%2E/api/tools',
    '/static/..\\api/tools',
    '/static\\..\\api/tools',
    '/static/.\t./api/tools',
    '/static/x/../../api/tools',
  ];

  for (const path of detours) assert.throws(() => guard(facts({ path })), isUnauthorized, path);
});

test('a browser may ask beforehand without the token', () => {
  guard(facts({ method: 'OPTIONS' }));
});

test('Host and Origin are judged before the token', () => {
  const authorization = `Bearer ${token}`;

  assert.throws(() => guard(facts({ authorization, host: 'evil.example' })), /Host/);
  assert.throws(() => guard(facts({ authorization, origin: 'null' })), /Origin/);
});

test('a configured token is wanted on the wire', async () => {
  await onNodeLeg(
    async ({ fetch, port }) => {
      const without = await post(fetch, initializeMessage());
      const withToken = await post(fetch, initializeMessage(), { Authorization: `Bearer ${token}` });
      const detour = 'GET /static/../api/v0/tools HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n';
      const byDetour = await sendRaw(port, Buffer.from(detour));
      const health = await fetch('/healthz');

      assert.is(without.status, 401);
      assert.is(without.headers.get('www-authenticate'), 'Bearer');
      assert.equal([without.body.id, without.body.error.code], [null, -32000]);
      assert.is(withToken.status, 200);
      assert.is(byDetour.status, 401);
      assert.is(health.status, 200);
    },
    {},
    guard,
  );
});

test('a page that may talk to us can read why it was refused', async () => {
  await onNodeLeg(
    async ({ fetch }) => {
      const answer = await post(fetch, initializeMessage(), { Origin: 'http://localhost:6274' });

      assert.is(answer.status, 401);
      assert.is(answer.headers.get('access-control-allow-origin'), 'http://localhost:6274');
      assert.match(answer.headers.get('access-control-expose-headers') ?? '', 'WWW-Authenticate');
    },
    {},
    guard,
  );
});

test('two Authorization headers are refused', async () => {
  await onNodeLeg(
    async ({ port }) => {
      const twice = `Authorization: Bearer ${token}\r\nAuthorization: Bearer x\r\n`;
      const head = `GET /api/v0/tools HTTP/1.1\r\nHost: 127.0.0.1\r\n${twice}\r\n`;
      const answer = await sendRaw(port, Buffer.from(head));

      assert.is(answer.status, 400);
    },
    {},
    guard,
  );
});

test('the comparison is exact', () => {
  assert.is(isEqualInConstantTime('abc', 'abc'), true);
  assert.is(isEqualInConstantTime('', ''), true);
  for (const given of ['', 'ab', 'abcd', 'abcabc', 'abd', 'ABC']) {
    assert.is(isEqualInConstantTime(given, 'abc'), false, given);
  }
  assert.is(isEqualInConstantTime('abc', ''), false);
});

function facts(changes: Partial<RequestFacts>): RequestFacts {
  const usual = { method: 'GET', path: '/api/v0/tools', host: 'localhost', origin: null };
  return { ...usual, secFetchSite: null, authorization: null, ...changes };
}

function isUnauthorized(error: { code?: string; headers?: Record<string, string> }): boolean {
  return error.code === 'unauthorized' && /^Bearer\b/.test(error.headers?.['WWW-Authenticate'] ?? '');
}

test.run();
