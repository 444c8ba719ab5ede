import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isAllowedUpstream } from '../../../lib/upstreams/allowed-upstreams.ts';
import { guardedLookup, isRefusedAddress } from '../../../lib/upstreams/node-dial-check.ts';

const test = suite('addresses of servers');

test('metadata, link-local and broadcast addresses are refused', () => {
  const refused = [
    '169.254.169.254',
    '169.254.0.1',
    '100.100.100.200',
    '0.0.0.0',
    '255.255.255.255',
    '224.0.0.1',
    'fe80::1',
    'fd00:ec2::254',
    '::',
    'ff02::1',
    '::ffff:169.254.169.254',
  ];
  assert.equal(refused.filter(isRefusedAddress), refused);
});

test('loopback, private and public addresses are not', () => {
  const fine = [
    '127.0.0.1',
    '10.0.0.1',
    '172.17.0.2',
    '192.168.1.1',
    '1.1.1.1',
    '::1',
    'fd00::1',
    '2606:4700::1',
  ];

  assert.equal(fine.filter(isRefusedAddress), []);
});

test('a name is looked up and checked when it is dialled', async () => {
  const lookUp = (name: string, all: boolean) =>
    new Promise((resolve) =>
      guardedLookup(name, { all }, (error, address) => resolve(error?.code ?? address)),
    );

  assert.match(String(await lookUp('localhost', false)), /^(127\.0\.0\.1|::1)$/);
  assert.ok(Array.isArray(await lookUp('localhost', true)));
  assert.is(await lookUp('169.254.169.254', true), 'ERR_REFUSED_ADDRESS');
});

test('ALLOWED_UPSTREAMS takes hosts, ports and names below a domain', () => {
  const patterns = ['Tools.example.org', '127.0.0.1:8080', '*.internal', '[::1]:9000'];
  const isAllowed = (url: string) => isAllowedUpstream(new URL(url), patterns);

  assert.ok(isAllowed('https://tools.example.org/mcp'));
  assert.ok(isAllowed('http://tools.example.org:81/'));
  assert.ok(isAllowed('http://127.0.0.1:8080/'));
  assert.ok(isAllowed('http://a.b.internal/'));
  assert.ok(isAllowed('http://[::1]:9000/'));
  assert.not(isAllowed('http://127.0.0.1/'));
  assert.not(isAllowed('http://internal/'));
  assert.not(isAllowed('http://evilinternal/'));
  assert.not(isAllowed('http://tools.example.org.evil.com/'));
  assert.not(isAllowed('http://[::1]/'));
});

test('without ALLOWED_UPSTREAMS any address is allowed', () => {
  assert.ok(isAllowedUpstream(new URL('http://anything/'), []));
});

test.run();
