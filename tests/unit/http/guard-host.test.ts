import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createHostCheck } from '../../../lib/http/guard.ts';
import { endpoint, initializeMessage } from '../../support/mcp-exchange.ts';
import { type RawAnswer, sendRaw } from '../../support/raw-http.ts';
import { onNodeLeg } from '../../support/two-legs.ts';

const test = suite('guard: Host');
const { hostName } = createHostCheck(['gateway.example', 'Tools.Example']);

function allows(...hosts: string[]): void {
  for (const host of hosts) assert.ok(hostName(host), host);
}

function refuses(...hosts: string[]): void {
  for (const host of hosts) assert.is(hostName(host), undefined, host);
}

test('loopback names and addresses are ours, on any port', () => {
  allows('localhost', 'localhost:3700', 'LOCALHOST:8090', 'app.localhost', '127.0.0.1', '127.1.2.3:5010');
  allows('[::1]', '[::1]:3700', 'host.docker.internal:3701');
});

test('IP literals are ours: nobody can rebind them', () => {
  allows('192.168.1.10', '10.0.0.1:80', '[fe80::1]', '[::ffff:7f00:1]');
});

test('single-label names are not ours unless listed: somebody on the local network may claim one', () => {
  const listed = createHostCheck(['manager', 'svc_gateway']);

  refuses('gateway', 'svc_gateway:3700', 'a', 'localhost2');
  for (const host of ['manager', 'MANAGER:3701', 'svc_gateway:3700', 'localhost'])
    assert.ok(listed.hostName(host), host);
  assert.is(listed.hostName('gateway'), undefined);
});

test('0.0.0.0 and :: reach this machine from a browser, so they are not', () => {
  refuses('0.0.0.0', '0.0.0.0:3700', '[::]', '[0:0:0:0:0:0:0:0]', '[::0.0.0.0]', '[::ffff:0.0.0.0]');
});

test('numbers that some resolvers read as an address are not', () => {
  refuses('0', '0x0', '0x7f000001', '2130706433', '127.1', '0177.0.0.1', '1.2.3.256', '127.0.0.1.', '0x7f.1');
});

test('dotted names are not ours unless listed', () => {
  refuses('evil.example', 'localhost.evil.example:3700', '127.0.0.1.evil.example', 'x.gateway.example');
  allows('gateway.example', 'GATEWAY.example:443', 'tools.example');
});

test('malformed values are not ours', () => {
  refuses('', 'a b', 'localhost:', 'localhost:99999', 'localhost:1a', 'user@localhost', 'localhost/x', '.');
  refuses('localhost.', '-', '[::1', '::1', '[zz::]', 'localhost:80:80', 'lоcalhost');
  assert.is(hostName(null), undefined);
});

test('names that no URL can hold are not ours', () => {
  refuses('xn--a', 'xn--', 'XN--zzzzzz99999:3700');
});

test('a verdict is the same when it is asked for again', () => {
  const check = createHostCheck([]);
  for (let round = 0; round < 2; round++) {
    for (let number = 0; number < 600; number++) check.hostName(`host-${number}`);
    assert.is(check.hostName('evil.example'), undefined);
    assert.is(check.hostName('localhost:1'), 'localhost');
  }
});

test('rule 12: a foreign Host is 403 on every verb, before the body is looked at', async () => {
  await onNodeLeg(async ({ port, sessions }) => {
    for (const verb of ['POST', 'GET', 'DELETE', 'OPTIONS']) {
      const answer = await send(port, verb, 'Host: evil.example');

      assert.is(answer.status, 403, verb);
      assert.is(JSON.parse(answer.body).error.data.code, 'host_not_allowed');
    }
    assert.is(sessions.size(), 0);
  });
});

test('a Host that breaks the adapter’s URL gets a plain refusal', async () => {
  await onNodeLeg(async ({ port }) => {
    for (const host of ['Host: a b', 'Host: localhost:99999', 'Host: ', 'Host: xn--a', 'Host: [::1']) {
      const answer = await send(port, 'POST', host);

      assert.is(answer.status, 403, host);
      assert.not.match(answer.body, /node_modules|\bat /);
    }
  });
});

test('two Host headers are refused, whatever they say', async () => {
  await onNodeLeg(async ({ port }) => {
    const answer = await send(port, 'POST', 'Host: 127.0.0.1\r\nHost: 127.0.0.1');

    assert.is(answer.status, 403);
  });
});

test('a request target that is no path is refused', async () => {
  await onNodeLeg(async ({ port }) => {
    const head = 'GET http://evil.example/api/v0/tools HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n';
    const answer = await sendRaw(port, Buffer.from(head));

    assert.is(answer.status, 400);
    assert.is(JSON.parse(answer.body).error.code, -32600);
  });
});

function send(port: number, verb: string, host: string): Promise<RawAnswer> {
  const body = verb === 'POST' ? JSON.stringify(initializeMessage()) : '';
  const head = `${verb} ${endpoint} HTTP/1.1\r\n${host}\r\nContent-Type: application/json\r\n`;
  return sendRaw(port, Buffer.from(`${head}Content-Length: ${body.length}\r\n\r\n${body}`));
}

test.run();
