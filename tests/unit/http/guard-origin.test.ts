import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createGuard, type RequestFacts } from '../../../lib/http/guard.ts';
import { isOriginAllowed, type OriginPolicy } from '../../../lib/http/origin.ts';
import { endpoint, initializeMessage, post } from '../../support/mcp-exchange.ts';
import { sendRaw } from '../../support/raw-http.ts';
import { onNodeLeg, usualGuard } from '../../support/two-legs.ts';

const test = suite('guard: Origin');

function judge(policy: OriginPolicy, host: string, origin: string): boolean {
  return isOriginAllowed(origin, host, policy, new Set(['https://ops.example']));
}

test('manager: an Origin of the request’s own host and port is ours', () => {
  const manager = (host: string, origin: string) => judge('same-host-and-port', host, origin);

  assert.is(manager('localhost:3701', 'http://localhost:3701'), true);
  assert.is(manager('LOCALHOST:3701', 'http://localhost:3701'), true);
  assert.is(manager('[::1]:3701', 'http://[::1]:3701'), true);
  assert.is(manager('ops', 'https://ops'), true);
  assert.is(manager('localhost:3701', 'https://ops.example'), true);
  assert.is(manager('localhost:3701', 'HTTPS://OPS.EXAMPLE'), true);
});

test('manager: another port or name of this machine is not', () => {
  const manager = (host: string, origin: string) => judge('same-host-and-port', host, origin);

  assert.is(manager('localhost:3701', 'http://localhost:3700'), false);
  assert.is(manager('localhost:3701', 'http://localhost'), false);
  assert.is(manager('127.0.0.1:3701', 'http://localhost:3701'), false);
  assert.is(manager('127.0.0.1:3701', 'http://127.0.0.1:9'), false);
});

test('gateway: the own host name on any port and loopback are ours', () => {
  const gateway = (host: string, origin: string) => judge('same-host-or-loopback', host, origin);

  assert.is(gateway('127.0.0.1:3700', 'http://localhost:6274'), true);
  assert.is(gateway('tools:3700', 'https://tools'), true);
  assert.is(gateway('tools:3700', 'http://[::1]:5173'), true);
  assert.is(gateway('tools:3700', 'http://other'), false);
  assert.is(gateway('127.0.0.1:3700', 'http://evil.example'), false);
  assert.is(gateway('127.0.0.1:3700', 'http://localhost.evil.example'), false);
});

test('null, user info, paths, other schemes and junk are nobody’s', () => {
  const gateway = (origin: string) => judge('same-host-or-loopback', 'localhost:3700', origin);
  const odd = [
    'null',
    '',
    'http://127.0.0.1:3700@evil.example',
    'http://evil.example@localhost',
    'http://localhost/',
    'http://localhost/path',
    'http://localhost?x',
    'http://localhost#x',
    'javascript:alert(1)',
    'file://localhost',
    'ftp://localhost',
    'localhost',
    'http://localhost, http://evil.example',
    'https://ops.example.evil.example',
  ];

  for (const origin of odd) assert.is(gateway(origin), false, origin);
});

test('a listed origin may have a scheme of its own', () => {
  const listed = new Set(['vscode-webview://abc']);

  assert.is(isOriginAllowed('vscode-webview://abc', 'localhost:3700', 'same-host-or-loopback', listed), true);
  assert.is(
    isOriginAllowed('vscode-webview://abd', 'localhost:3700', 'same-host-or-loopback', listed),
    false,
  );
});

test('no Origin is fine: agents and curl send none', () => {
  usualGuard()(facts({ origin: null }));
});

test('manager: a call that changes something must not come from another site', () => {
  const guard = createGuard({
    originPolicy: 'same-host-and-port',
    allowedHosts: [],
    allowedOrigins: ['https://ops.example'],
    token: undefined,
    checksFetchSite: true,
  });
  const from = (secFetchSite: string | null, more: Partial<RequestFacts> = {}) =>
    guard(facts({ method: 'POST', secFetchSite, ...more }));

  from(null);
  from('same-origin');
  from('none');
  from('cross-site', { method: 'GET' });
  from('cross-site', { origin: 'https://ops.example' });
  for (const site of ['cross-site', 'same-site', 'junk', 'same-origin, cross-site']) {
    assert.throws(() => from(site), isRefusal, site);
  }
  for (const method of ['DELETE', 'PUT', 'PATCH']) {
    assert.throws(() => from('cross-site', { method }), isRefusal, method);
  }
});

test('rule 12: a foreign Origin is 403 on POST, GET and DELETE', async () => {
  await onNodeLeg(async ({ port, sessions }) => {
    for (const verb of ['POST', 'GET', 'DELETE', 'OPTIONS']) {
      const head = `${verb} ${endpoint} HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: http://evil.example\r\n`;
      const answer = await sendRaw(port, Buffer.from(`${head}Content-Length: 0\r\n\r\n`));

      assert.is(answer.status, 403, verb);
      assert.equal(refusalIn(answer.body), { id: null, code: -32000, name: 'origin_not_allowed' });
      assert.not.match(answer.head, /access-control/i);
    }
    assert.is(sessions.size(), 0);
  });
});

test('two Origins are refused, whatever they say', async () => {
  await onNodeLeg(async ({ port }) => {
    const origins = 'Origin: http://localhost:3700\r\nOrigin: http://localhost:3700\r\n';
    const head = `POST ${endpoint} HTTP/1.1\r\nHost: 127.0.0.1\r\n${origins}Content-Length: 0\r\n\r\n`;
    const answer = await sendRaw(port, Buffer.from(head));

    assert.is(answer.status, 403);
  });
});

test('an Origin of this machine is answered', async () => {
  await onNodeLeg(async ({ fetch }) => {
    const answer = await post(fetch, initializeMessage(), { Origin: 'http://localhost:6274' });

    assert.is(answer.status, 200);
  });
});

function facts(changes: Partial<RequestFacts>): RequestFacts {
  const usual = { method: 'GET', path: '/', host: 'localhost:3701', origin: null };
  return { ...usual, secFetchSite: null, authorization: null, ...changes };
}

function isRefusal(error: { code?: string; status?: number }): boolean {
  return error.code === 'origin_not_allowed' && error.status === 403;
}

function refusalIn(body: string) {
  const { id, error } = JSON.parse(body);
  return { id, code: error.code, name: error.data.code };
}

test.run();
