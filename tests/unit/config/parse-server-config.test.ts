import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { canonicalText, parseServerConfig, toDocument } from '../../../lib/config/parse-server-config.ts';
import { toReference } from '../../../lib/config/references.ts';
import { defaultLimits, defaultTimeouts } from '../../../lib/config/server-config.ts';
import { Failure } from '../../../lib/failure.ts';

const test = suite('registration config');

const stdio = (changes: Record<string, unknown> = {}) => ({
  name: 'x',
  transport: 'stdio',
  command: 'a',
  ...changes,
});
const http = (changes: Record<string, unknown> = {}) => ({
  name: 'x',
  transport: 'streamable_http',
  url: 'http://127.0.0.1:9/mcp',
  ...changes,
});

/** The sentence a document is refused with. */
function refusalOf(document: unknown): string {
  try {
    parseServerConfig(document);
  } catch (error) {
    assert.instance(error, Failure);
    assert.is((error as Failure).code, 'invalid_params');
    return (error as Failure).message;
  }
  return 'it was accepted';
}

test('the shortest config gets every default', () => {
  const config = parseServerConfig(stdio());

  assert.equal(config.timeouts, defaultTimeouts);
  assert.equal(config.limits, defaultLimits);
  assert.equal([config.args, config.env, config.headers], [[], {}, {}]);
  assert.equal(
    [config.sessionMode, config.network, config.readOnly, config.description],
    ['stateless', 'bridge', false, ''],
  );
});

test('every field of a process server is read', () => {
  const document = stdio({
    description: 'd',
    args: ['-a'],
    env: { A_1: 'v' },
    cwd: 'sub',
    session_mode: 'stateful',
    timeouts: { start_ms: 1_000, call_ms: 2_000, call_cap_ms: 3_000, idle_stop_seconds: 4 },
    limits: {
      calls: 1,
      queue: 0,
      line_bytes: 2_048,
      response_bytes: 4_096,
      sessions: 2,
      memory_mb: 64,
      cpus: 0.5,
      pids: 9,
    },
  });

  const config = parseServerConfig(document);

  assert.equal(config.timeouts, { startMs: 1_000, callMs: 2_000, callCapMs: 3_000, idleStopSeconds: 4 });
  assert.equal(config.limits, {
    calls: 1,
    queue: 0,
    lineBytes: 2_048,
    responseBytes: 4_096,
    sessions: 2,
    memoryMb: 64,
    cpus: 0.5,
    pids: 9,
  });
  assert.equal(toDocument(config), document);
});

test('the file form leaves defaults out and reads back the same', () => {
  const config = parseServerConfig(
    http({ headers: { 'X-Key': 'v' }, bearer_token: 't', session_mode: 'stateless' }),
  );

  assert.equal(toDocument(config), http({ headers: { 'X-Key': 'v' }, bearer_token: 't' }));
  assert.equal(parseServerConfig(toDocument(config)), config);
});

test("without a call time-out of its own a config has the service's, and its file stays without", () => {
  const config = parseServerConfig(stdio(), 700_000);

  assert.is(config.timeouts.callMs, 700_000);
  assert.is(config.timeouts.callCapMs, 700_000, 'the cap is never shorter');
  assert.equal(toDocument(config), stdio());
  assert.is(parseServerConfig(stdio(), 5_000).timeouts.callCapMs, defaultTimeouts.callCapMs);
});

test("a config's own times win over the service's and stay in the file, also where they are the defaults", () => {
  const document = stdio({ timeouts: { call_ms: 60_000, call_cap_ms: 600_000 } });
  const config = parseServerConfig(document, 700_000);

  assert.equal([config.timeouts.callMs, config.timeouts.callCapMs], [60_000, 600_000]);
  assert.equal(toDocument(config), document);
  assert.is(parseServerConfig(stdio({ timeouts: { call_cap_ms: 500 } }), 700_000).timeouts.callCapMs, 500);
});

test('two configs that mean the same have the same canonical text', () => {
  const one = parseServerConfig(stdio({ env: { A: '1', B: '2' }, timeouts: { start_ms: 30_000 } }));
  const other = parseServerConfig({ env: { B: '2', A: '1' }, command: 'a', transport: 'stdio', name: 'x' });

  assert.is(canonicalText(one), canonicalText(other));
  assert.is.not(canonicalText(one), canonicalText(parseServerConfig(stdio({ env: { A: '1' } }))));
});

test('what is not an object is refused', () => {
  assert.is(refusalOf([]), 'Expected an object.');
  assert.is(refusalOf('text'), 'Expected an object.');
  assert.is(refusalOf(null), 'Expected an object.');
});

test('unknown fields are named, at any depth', () => {
  assert.is(refusalOf(stdio({ shell: true })), 'Unknown field `shell`.');
  assert.is(refusalOf(stdio({ limits: { ram: 1 } })), 'Unknown field `limits.ram`.');
  assert.is(
    refusalOf(JSON.parse('{"name":"x","transport":"stdio","command":"a","__proto__":{}}')),
    'Unknown field `__proto__`.',
  );
});

test('an unknown transport is refused with the words there are', () => {
  assert.is(
    refusalOf(stdio({ transport: 'telepathy' })),
    'Field `transport`: expected one of `"stdio","streamable_http","sse"`.',
  );
  assert.match(refusalOf(stdio({ transport: null })), /^Field `transport`: expected one of/);
});

test('a transport that is not said, or by the name other clients have for it, is guessed as `import` guesses it', () => {
  const url = 'https://mcp.example/mcp';
  const transportOf = (document: object) => parseServerConfig({ name: 'x', ...document }).transport;

  for (const transport of [undefined, 'http', 'streamable-http', 'streamableHttp'])
    assert.is(transportOf({ url, ...(transport && { transport }) }), 'streamable_http', transport);
  assert.is(transportOf({ image: 'a:1', port: 80, transport: 'http' }), 'streamable_http');
  assert.is(transportOf({ image: 'a:1', port: 80 }), 'streamable_http');
  assert.is(transportOf({ url, transport: 'sse' }), 'sse');
  assert.is(transportOf({ command: 'a' }), 'stdio');
  assert.is(transportOf({ image: 'a:1' }), 'stdio');
  assert.match(
    refusalOf({ name: 'x' }),
    'Neither `command`, `url` nor `image` is there: expected the program to start, the address of the server, or its image.',
  );
  assert.match(refusalOf({ name: 'x', url, command: 'a' }), 'Field `command` has no use');
  assert.match(refusalOf({ name: 'x', url, transport: 'stdio' }), 'Field `url` has no use');
});

test('a guessed transport is the same config, and is written as what it is', () => {
  const url = 'https://mcp.example/mcp';
  const [guessed, said] = [{ url }, { url, transport: 'streamable_http' }].map((fields) =>
    parseServerConfig({ name: 'x', ...fields }),
  );
  assert.ok(guessed && said);
  assert.is(canonicalText(guessed), canonicalText(said));
  assert.is(toDocument(guessed).transport, 'streamable_http');
});

test('names that are no server names are refused', () => {
  assert.match(refusalOf(stdio({ name: 'a__b' })), 'Field `name`: expected a server name');
  assert.match(refusalOf(stdio({ name: '../x' })), 'expected a server name');
  assert.match(refusalOf(stdio({ name: '__proto__' })), 'expected a server name');
  assert.match(refusalOf(stdio({ name: 'a'.repeat(31) })), 'at most 30 characters');
  assert.match(refusalOf(stdio({ name: 'a_' })), 'expected a server name');
});

test('a process server needs a program or an image', () => {
  assert.match(refusalOf({ name: 'x', transport: 'stdio' }), 'Field `command`');
  assert.match(refusalOf(stdio({ command: '' })), 'text that is not empty');
  assert.match(refusalOf(stdio({ command: 5 })), 'expected a string');
  assert.is(parseServerConfig({ name: 'x', transport: 'stdio', image: 'mcp/echo:1' }).image, 'mcp/echo:1');
});

test('an HTTP server needs an address, or an image with its port', () => {
  assert.match(refusalOf({ name: 'x', transport: 'streamable_http' }), 'Field `url`');
  assert.match(refusalOf({ name: 'x', transport: 'sse' }), 'Field `url`');
  assert.match(refusalOf({ name: 'x', transport: 'streamable_http', image: 'a:1' }), 'Field `port`');
  assert.is(
    parseServerConfig({ name: 'x', transport: 'streamable_http', image: 'a:1', port: 80, path: '/mcp' }).port,
    80,
  );
});

test('a field that has no use with the transport is refused instead of ignored', () => {
  assert.is(refusalOf(stdio({ url: 'http://a/' })), 'Field `url` has no use with transport `stdio`.');
  assert.match(refusalOf(http({ command: 'a' })), 'Field `command` has no use');
  assert.match(refusalOf(http({ env: {} })), 'Field `env` has no use');
  assert.match(refusalOf(stdio({ network: 'none' })), 'without an `image`');
  assert.match(refusalOf(stdio({ image: 'a:1', cwd: 'x' })), 'Field `cwd` has no use');
});

test('only plain http and https addresses are accepted', () => {
  assert.match(refusalOf(http({ url: 'file:///etc/passwd' })), 'http or https URL');
  assert.match(refusalOf(http({ url: 'http://user:pw@host/' })), 'without user info');
  assert.match(refusalOf(http({ url: 'not a url' })), 'http or https URL');
  assert.is(
    parseServerConfig(http({ url: `https://${toReference('HOST')}:80/mcp` })).url?.startsWith('https://$'),
    true,
  );
});

test('variables have names that a process can have', () => {
  assert.match(refusalOf(stdio({ env: { 'A=B': 'x' } })), 'a variable name of letters');
  assert.match(refusalOf(stdio({ env: { '': 'x' } })), 'a variable name');
  assert.match(refusalOf(stdio({ env: { '1A': 'x' } })), 'a variable name');
  assert.match(
    refusalOf(JSON.parse('{"name":"x","transport":"stdio","command":"a","env":{"__proto__":"x"}}')),
    'a variable name',
  );
  assert.is(refusalOf(stdio({ env: [] })), 'Field `env`: expected an object.');
});

test('headers cannot smuggle further headers', () => {
  assert.match(refusalOf(http({ headers: { 'X-A': 'a\r\nX-B: b' } })), 'without line breaks');
  assert.match(refusalOf(http({ headers: { 'X A': 'a' } })), 'the name of an HTTP header');
});

test('arguments and values are bounded in number and size', () => {
  assert.is(refusalOf(stdio({ args: 'b' })), 'Field `args`: expected an array.');
  assert.is(refusalOf(stdio({ args: [5] })), 'Field `args.0`: expected a string.');
  assert.is(refusalOf(stdio({ args: Array(257).fill('a') })), 'Field `args`: expected at most 256 entries.');
  assert.match(refusalOf(stdio({ args: ['é'.repeat(4_097)] })), 'at most 8192 bytes');
  assert.match(refusalOf(stdio({ env: { A: 'x'.repeat(32_769) } })), 'at most 32768 bytes');
  assert.match(refusalOf(stdio({ description: 'd'.repeat(8_193) })), 'at most 8192 bytes');
  assert.match(refusalOf(stdio({ args: ['a\0b'] })), 'without U+0000');
  assert.is(parseServerConfig(stdio({ args: ['é'.repeat(4_096)] })).args.length, 1);
});

test('times and limits are sane', () => {
  assert.is(
    refusalOf(stdio({ timeouts: { start_ms: 1 } })),
    'Field `timeouts.start_ms`: expected a whole number from 100 to 600000.',
  );
  assert.match(refusalOf(stdio({ limits: { calls: 1.5 } })), 'a whole number from 1 to 1024');
  assert.match(refusalOf(stdio({ timeouts: { call_ms: 700_000 } })), 'no more than `timeouts.call_cap_ms`');
});

test('a refusal never repeats what was received', () => {
  const refusals = [
    refusalOf(stdio({ env: { TOKEN: { s: 'SECRET-CANARY' } } })),
    refusalOf(http({ bearer_token: ['SECRET-CANARY'] })),
    refusalOf(http({ url: 'http://user:SECRET-CANARY@host/' })),
    refusalOf(http({ headers: { A: 'SECRET-CANARY\n' } })),
    refusalOf(stdio({ session_mode: 'SECRET-CANARY' })),
  ];

  for (const refusal of refusals) assert.not.match(refusal, 'SECRET-CANARY');
});

test.run();
