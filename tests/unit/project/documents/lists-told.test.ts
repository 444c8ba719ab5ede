/** Lists and counts that SECURITY.md and CONTRIBUTING.md write out are those of the code. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { systemPaths } from '../../../../lib/containers/mounts/mount-rules.ts';
import { isOAuthPath } from '../../../../lib/http/gateway-paths.ts';
import { createGuard } from '../../../../lib/http/guard.ts';
import { isServerName } from '../../../../lib/names/names.ts';
import { mostConnections } from '../../../../lib/server/listeners/node-descriptors.ts';
import { relayPath } from '../../../../lib/upstreams/relay/relay-lines.ts';
import { childEnvironment } from '../../../../lib/upstreams/transports/stdio/node-stdio-transport.ts';
import { listFiles, readText } from '../../../support/source-files.ts';
import { tableUnder } from './markdown-tables.ts';

const test = suite('lists in the documents');

const security = readText('SECURITY.md');
const contributing = readText('CONTRIBUTING.md');

/** What stands in code quotes between two pieces of text, which may be on other lines. */
function quotedBetween(document: string, from: string, to: string): string[] {
  const text = document.replace(/\s+/g, ' ');
  const start = text.indexOf(from);
  const end = text.indexOf(to, start + from.length);
  assert.ok(start >= 0 && end > start, `"${from}" … "${to}"`);
  return [...text.slice(start + from.length, end).matchAll(/`([^`]+)`/g)].map(([, one = '']) => one);
}

test('the variables that programs inherit', () => {
  const told = quotedBetween(security, "service's own only", 'They run as').map((name) =>
    name.replace('…', 'ALL'),
  );
  const parent = Object.fromEntries(
    [...told, 'ADMIN_TOKEN', 'NODE_OPTIONS', 'SSH_AUTH_SOCK', 'HTTP_PROXY', 'PWD', 'EDITOR'].map((name) => [
      name,
      'x',
    ]),
  );

  assert.equal(Object.keys(childEnvironment(parent, {}, {})), told);
});

test('the folders that only an entry of their own lets in', () => {
  const told = quotedBetween(security, 'and every folder but `/`', "the engine's socket");

  assert.equal(told, systemPaths);
});

test('the paths that need no token of their port', () => {
  const [own = '', ...probes] = [
    '/',
    ...quotedBetween(security, "but for the page's own files", 'The *origin*'),
  ];
  const guard = createGuard({
    ...{ originPolicy: 'same-host-and-port', allowedHosts: [], allowedOrigins: [], token: 'secret' },
    ...{ checksFetchSite: true, ownTokenPath: relayPath },
  });
  const ask = (path: string) =>
    guard({
      ...{ method: 'GET', path, host: '127.0.0.1', origin: null },
      ...{ secFetchSite: null, authorization: null },
    });

  assert.equal(probes, ['/healthz', '/readyz', relayPath]);
  for (const path of [own, '/static/app.js', ...probes]) ask(path);
  for (const path of ['/metrics', '/api/status', '/api/tools']) assert.throws(() => ask(path), /Bearer/);
});

test('the paths where clients look for OAuth', () => {
  const told = quotedBetween(security, 'It has no OAuth', 'they are told so');

  assert.ok(told.length >= 4);
  for (const path of told) assert.ok(isOAuthPath(path), path);
  assert.not.ok(isOAuthPath('/api/v0/tools'));
});

test('how many connections file descriptors allow', () => {
  const [, limit = ''] = tableUnder(security, 'Limits')[0] ?? [];

  assert.match(limit, /^10,000, or three quarters .* fewer than 1,024 all but 256, at least a quarter;/);
  assert.is(mostConnections(1_000_000), 10_000);
  assert.is(mostConnections(2_048), 1_536);
  assert.is(mostConnections(1_000), 744);
  assert.is(mostConnections(200), 50);
});

test('how long a name of a server may be', () => {
  for (const path of ['README.md', 'docs/servers.md']) {
    const [, told = ''] = /at most\s+(\d+) characters: letters and digits/.exec(readText(path)) ?? [];
    assert.ok(isServerName('a'.repeat(Number(told))), path);
    assert.not.ok(isServerName('a'.repeat(Number(told) + 1)), path);
  }
});

const numbers = ['twelve', 'thirteen', 'fourteen', 'fifteen', 'sixteen', 'seventeen', 'eighteen'];

test('words of ours are as many as the rule says', () => {
  const [, told = ''] = /ours are the (\w+) below/.exec(contributing) ?? [];

  assert.is(tableUnder(contributing, 'Words of ours').length, 12 + numbers.indexOf(told));
});

test('a decision has at most as many lines as CONTRIBUTING says', () => {
  const [, most = ''] = /`docs\/decisions\/` \(at most (\d+) lines/.exec(contributing) ?? [];
  const long = listFiles()
    .filter((path) => path.startsWith('docs/decisions/'))
    .map((path) => `${path}: ${readText(path).trimEnd().split('\n').length}`)
    .filter((told) => Number(told.split(': ')[1]) > Number(most));

  assert.match(most, /^\d+$/);
  assert.equal(long, []);
});

test.run();
