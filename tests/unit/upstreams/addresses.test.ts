import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { assertUpstreamAllowed, isAllowedUpstream } from '../../../lib/config/allowed-upstreams.ts';
import type { Failure } from '../../../lib/failure.ts';
import {
  guardedLookup,
  hasRefusedAddress,
  isRefusedAddress,
} from '../../../lib/upstreams/transports/http/node-dial-check.ts';

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
    '168.63.129.16',
    '192.0.0.192',
    '240.0.0.1',
    '255.1.2.3',
    'fd20:ce::254',
    'FD20:CE::254',
  ];
  assert.equal(refused.filter(isRefusedAddress), refused);
});

test('a refused IPv4 address is refused in every form that IPv6 has for it', () => {
  const forms = [
    '169.254.169.254',
    '168.63.129.16',
    '100.100.100.200',
    '192.0.0.192',
    '224.0.0.1',
    '240.0.0.1',
  ].flatMap((address) => {
    const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
    const hex = `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
    const carried = [address, hex].flatMap((text) => [`::ffff:${text}`, `64:ff9b::${text}`, `::${text}`]);
    return [...carried, `2002:${hex}::`, `2002:${hex}:1:2:3:4:5`, `0:0:0:0:0:ffff:${hex}`];
  });

  assert.equal(
    forms.filter((form) => !isRefusedAddress(form)),
    [],
  );
  assert.ok(hasRefusedAddress(new URL('http://[64:ff9b::a9fe:a9fe]/')));
  assert.ok(hasRefusedAddress(new URL('http://[2002:a9fe:a9fe::1]/')));
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
    '::ffff:127.0.0.1',
    '64:ff9b::1.1.1.1',
    '2002:101:101::1',
    '168.63.129.17',
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

test('an address to be registered is refused by its text, one whose host is a reference when the server starts', () => {
  const reference = `$\{NAME}`;
  const refused = (url: string) => () => assertUpstreamAllowed(url, ['tools.example.org']);

  assert.throws(
    refused('http://evil.example/mcp'),
    (error: Failure) => error.code === 'upstream_not_allowed',
  );
  assert.throws(
    refused(`http://evil.example/${reference}`),
    (error: Failure) => error.code === 'upstream_not_allowed',
  );
  assert.not.throws(refused(`https://tools.example.org/mcp?key=${reference}`));
  assert.not.throws(refused(`http://${reference}/mcp`));
});

test('without ALLOWED_UPSTREAMS any address is allowed', () => {
  assert.ok(isAllowedUpstream(new URL('http://anything/'), []));
});

test.run();
