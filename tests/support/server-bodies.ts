/** Configs and provisions that the structs of servers accept, and that they refuse. */

export const config = (fields: object): unknown => ({ name: 'x', ...fields });
export const image = (fields: object): unknown => ({ name: 'x', image: 'acme/x:1', ...fields });
const volumes = (...paths: readonly string[]) => image({ volumes: paths.map((path) => ({ path })) });
const source = (value: string) => image({ volumes: [{ path: '/data', source: value }] });
const entries = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`A${at}`, '']));

export const goodConfigs: readonly unknown[] = [
  ...[{}, { command: 'npx', args: ['-y', ''], env: { A_1: 'v', _b: '' }, cwd: '.' }].map(config),
  ...['a', '1', 'a.b-c_d', 'a'.repeat(30)].map((name) => ({ name })),
  ...['stdio', 'sse', 'http', 'streamable-http', 'streamableHttp'].map((transport) => config({ transport })),
  ...[0.01, 0.5, 256].map((cpus) => config({ limits: { cpus } })),
  ...[100, 30_000, 600_000].map((start_ms) => config({ timeouts: { start_ms } })),
  ...['/', '/mcp', '/a%20b;c'].map((path) => config({ path })),
  ...['http://a', 'HTTPS://a.example/mcp?key=1#x', `https://\${HOST}:\${PORT}/\${PATH}`].map((url) =>
    config({ url }),
  ),
  config({ headers: { 'X-Key': `Bearer \${TOKEN}`, '*': 'é' }, bearer_token: '' }),
  config({ env: entries(256), description: 'é'.repeat(4096) }),
  ...['x', 'acme/x:1', 'localhost:5000/a/b@sha256:'.concat('0'.repeat(64))].map((name) =>
    config({ image: name }),
  ),
  volumes('/data', '/a b/.c', '/...', '/é'),
  ...['/', '/srv/a b', 'my.data_1', 'ab'].map(source),
  image({ entrypoint: ['node', ''], user: '1000:1000', shm_mb: 1, capabilities: ['CHOWN', 'CHOWN'] }),
  image({ network: 'none', read_only: true, pull: 'never', session_mode: 'stateful' }),
];

export const badConfigs: readonly unknown[] = [
  ...[null, [], 'x', 1, {}].values(),
  ...['', '-a', 'a__b', 'a_', 'a b', 'é', 'a\n', 'a'.repeat(31), 1, null].map((name) => ({ name })),
  ...['telepathy', '', null].map((transport) => config({ transport })),
  ...[{ shell: true }, { limits: { ram: 1 } }, { timeouts: [] }, { command: '' }, { cwd: '' }].map(config),
  ...[{ command: 'a\0b' }, { description: 'a'.repeat(8193) }, { args: 'a' }, { args: [1] }].map(config),
  config({ args: Array.from({ length: 257 }, () => '') }),
  config({ env: entries(257) }),
  ...['', '1A', 'A-B', 'Ä', '__proto__', 'A\n'].map((name) =>
    config({ env: JSON.parse(`{${JSON.stringify(name)}:""}`) }),
  ),
  ...[{ env: { A: 1 } }, { env: { A: '\0' } }, { headers: { 'A B': '' } }, { headers: { A: 'a\r\nb' } }].map(
    config,
  ),
  ...[0, 0.009, 257, '1'].map((cpus) => config({ limits: { cpus } })),
  ...[99, 600_001, 100.5, '100', null].map((start_ms) => config({ timeouts: { start_ms } })),
  ...['', 'mcp', '/a b', '/a?b', '/a#b', '/a\0'].map((path) => config({ path })),
  ...['', 'a', 'ftp://a', ' http://a', 'http://', 'http:a', `\${URL}`].map((url) => config({ url })),
  ...['', 'A', 'a b', 'a:', 'a//b', 'a@sha256:1', '--help', 'a'.repeat(401)].map((name) =>
    config({ image: name }),
  ),
  ...[
    '',
    'data',
    './data',
    '/',
    '/a/',
    '/a//b',
    '/a/../b',
    '/.',
    '/a:b',
    '/a,b',
    '/a\nb',
    '/a\u0085',
    `/\${A}`,
  ].map((path) => volumes(path)),
  ...['', 'a', '~/data', './data', 'a/b', 'C:\\data', '/a/..', `\${A}`].map(source),
  volumes('/data', '/data'),
  ...[[], [''], ['', 'a'], 'node', [1]].map((entrypoint) => image({ entrypoint })),
  ...[['SYS_ADMIN'], ['CAP_CHOWN'], 'CHOWN'].map((capabilities) => image({ capabilities })),
  ...[
    { port: 0 },
    { port: 65_536 },
    { port: '80' },
    { network: 'host' },
    { pull: 'Always' },
    { user: '' },
  ].map(image),
];

/** Refused by the structs alone. */
export const beyondSchemas: readonly (readonly [reason: string, config: unknown])[] = [
  ['the code counts bytes, a schema characters', config({ description: 'é'.repeat(4097) })],
  ['a pattern does not parse addresses: user info', config({ url: 'http://me:secret@a/' })],
  ['a pattern does not parse addresses: the port', config({ url: 'http://a:65536/' })],
  ['a pattern does not parse addresses: the host', config({ url: 'http://a b/' })],
  [
    'elements are unique as a whole, not by a field',
    image({ volumes: [{ path: '/a' }, { path: '/a', source: 'b2' }] }),
  ],
];

export const goodRequests: readonly unknown[] = [
  image({}),
  image({
    command: ['--quiet'],
    env_vars: { A: 'v' },
    description: '',
    transport: 'streamable_http',
    port: 80,
  }),
  image({
    path: '/mcp',
    discard_data: true,
    limits: { memory_mb: 16 },
    volumes: [{ path: '/data', read_only: true }],
  }),
];

export const badRequests: readonly unknown[] = [
  ...[{ name: 'x' }, { image: 'a' }, null].values(),
  ...[{ args: [] }, { env: {} }, { url: 'http://a' }, { cwd: '.' }, { headers: {} }].map(image),
  ...[{ command: 'node' }, { transport: 'sse' }, { transport: 'http' }, { env_vars: { 'A B': '' } }].map(
    image,
  ),
];
