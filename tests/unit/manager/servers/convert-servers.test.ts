import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createManagerFixture } from './manager-fixture.ts';

const test = suite('POST /api/servers/convert');

function convert(body: unknown) {
  return createManagerFixture().call('POST', '/api/servers/convert', body);
}

test('`mcpServers` and `servers` become registration configs', async () => {
  const cursor = await convert({
    mcpServers: { files: { command: 'npx', args: ['-y', 'files'], env: { ROOT: '/srv' } } },
  });
  const vscode = await convert({
    inputs: [],
    servers: { web: { type: 'http', url: 'https://mcp.example/mcp' } },
  });

  assert.is(cursor.status, 200);
  assert.equal(cursor.body.configs, [
    { name: 'files', transport: 'stdio', command: 'npx', args: ['-y', 'files'], env: { ROOT: '/srv' } },
  ]);
  assert.equal(vscode.body.configs, [
    { name: 'web', transport: 'streamable_http', url: 'https://mcp.example/mcp' },
  ]);
  assert.equal([cursor.body.problems, vscode.body.problems], [[], []]);
});

test('an entry that cannot be used says why, and holds up no other', async () => {
  const { body, text } = await convert({
    mcpServers: {
      off: { command: 'a', disabled: true },
      wrong: { command: 'a', env: { 'NOT A NAME': 'CANARY' } },
      empty: {},
      'my server': { command: 'a', autoApprove: ['x'] },
    },
  });

  assert.equal(
    body.configs.map(({ name }: { name: string }) => name),
    ['my-server'],
  );
  assert.equal(
    body.problems.map(({ name }: { name: string }) => name),
    ['off', 'wrong', 'empty', 'my-server', 'my-server'],
  );
  assert.is(body.problems[0].problem, 'It is left out: it is disabled in the file.');
  assert.match(body.problems[4].problem, 'autoApprove');
  assert.not.match(text, 'CANARY');
});

test('a line for docker, and an entry that calls it, become servers in containers; what is left out is named', async () => {
  const line = await convert({
    command_line: 'docker run -i --rm --gpus all -v /srv/a:/a acme/tool --quiet',
  });
  const entry = { command: 'docker', args: ['run', '-i', '-v', '/data', 'acme/tool'] };
  const file = await convert({ mcpServers: { files: entry, 'my files': { ...entry, autoApprove: [] } } });

  assert.is(line.status, 200);
  assert.equal(line.body.configs, [
    {
      ...{ name: 'tool', transport: 'stdio', args: ['--quiet'], image: 'acme/tool', pull: 'missing' },
      volumes: [{ path: '/a', source: '/srv/a' }],
    },
  ]);
  assert.equal(line.body.problems, []);
  assert.equal(
    line.body.warnings.map(({ name }: { name: string }) => name),
    ['tool', 'tool'],
  );
  assert.match(line.body.warnings[0].warning, '`--gpus`');
  assert.match(line.body.warnings[1].warning, 'administration rights');
  assert.equal(
    file.body.configs.map(({ image }: { image: string }) => image),
    ['acme/tool', 'acme/tool'],
  );
  assert.equal([file.body.warnings, file.body.problems.length], [[], 2]);
});

test('administrators get no notes on rights that they have', async () => {
  const body = { command_line: 'docker run -v /srv/a:/a acme/tool' };

  const answer = await createManagerFixture({ isAdministrator: true }).call(
    'POST',
    '/api/servers/convert',
    body,
  );

  assert.equal(answer.body.warnings, []);
});

test('lines without a `docker run`, or with too many, are refused', async () => {
  for (const line of ['', 'npx -y files', 'docker ps', 'docker run x\n'.repeat(257)]) {
    const { status, body } = await convert({ command_line: line });
    assert.equal([status, body.code], [400, 'invalid_params'], line.slice(0, 20));
  }
});

const input = (id: string) => `\${input:${id}}`;

test('what was pasted is read as it is, comments and all, and the values that it asks for are listed', async () => {
  const text = `// mine
  {
    "inputs": [{ "type": "promptString", "id": "key", "description": "The key", "password": true }],
    "servers": {
      "web": { "url": "https://mcp.example/mcp", "headers": { "X-Key": "${input('key')}" } }, /* one */
    },
  }`;

  const { status, body } = await convert({ text });

  assert.is(status, 200);
  assert.equal(body.inputs, [{ id: 'key', description: 'The key', password: true, servers: ['web'] }]);
  assert.equal(body.configs[0].headers, { 'X-Key': input('key') });
  assert.equal([body.problems, body.warnings], [[], []]);
});

test('the inner part of a file, settings of VS Code and lines for docker are read as well', async () => {
  const time = { command: 'uvx', args: ['mcp-server-time'] };
  const texts = [
    JSON.stringify({ mcpServers: { time } }),
    JSON.stringify({ time }),
    `"mcpServers": {"time": ${JSON.stringify(time)}},`,
    `"time": ${JSON.stringify(time)},`,
    `{"mcp": {"servers": {"time": ${JSON.stringify(time)}}}, "editor.fontSize": 12}`,
  ];
  for (const text of texts) {
    const { body } = await convert({ text });
    assert.equal(body.configs, [{ name: 'time', transport: 'stdio', ...time }], text);
  }
  for (const text of [
    'docker run -i mcp/time',
    '  $ sudo docker run x',
    '# First\npodman container run \\\n x',
  ]) {
    assert.is((await convert({ text })).body.configs.length, 1, text);
  }
});

test('what is no JSON is refused with line and column, whole or without its braces', async () => {
  const refusal = async (text: string) => {
    const { status, body } = await convert({ text });
    assert.equal([status, body.code], [400, 'invalid_params']);
    return [body.error, body.details?.line, body.details?.column];
  };

  assert.equal(await refusal('{\n  "mcpServers": {\n    "a" {}\n'), [
    'It is not valid JSON: line 3, column 9: expected `:`.',
    3,
    9,
  ]);
  assert.equal(await refusal('"a": {"command": "b"\n  "args": []}'), [
    'It is not valid JSON: line 2, column 3: expected `,` or `}`.',
    2,
    3,
  ]);
  assert.match((await refusal('[1]'))[0], /not a JSON object/);
  assert.match((await refusal('{"theme": "dark"}'))[0], /neither/);
  assert.match((await convert({ text: '['.repeat(10_000) })).body.error, /nests deeper/);
});

test('nothing is registered, and no cache keeps the answer', async () => {
  const register = async () => {
    throw new Error('it was registered');
  };
  const fixture = createManagerFixture({ registry: { register } });

  const response = await fixture.fetch('/api/servers/convert', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ mcpServers: { a: { command: 'a' } } }),
  });

  assert.is(response.status, 200);
  assert.is(response.headers.get('cache-control'), 'no-store');
});

test('a body without servers, or with too many, is refused', async () => {
  const many = Object.fromEntries(Array.from({ length: 257 }, (_, at) => [`s${at}`, { command: 'a' }]));

  for (const body of [{}, { mcpServers: {} }, { mcpServers: 'x' }, { mcpServers: null }, [], '"x"', 'null']) {
    const { status, body: answer } = await convert(body);
    assert.equal([status, answer.code], [400, 'invalid_params'], JSON.stringify(body));
  }
  assert.is((await convert({ mcpServers: many })).body.error, 'Expected at most 256 servers at a time.');
});

test('references that nothing closes, and lines for a shell without end, delay nothing', async () => {
  const begin = (name: string) => `\${${name}:-`;
  const open = begin('A').repeat(150_000);
  const lines = Object.fromEntries(
    [1, 2].map((at) => [`s${at}`, { command: `docker run ${'x '.repeat(20_000)}` }]),
  );
  const nested = { command: 'a', args: [`${begin('A')}${begin('B')}x}}`, `${begin('C')}$x}`] };
  const began = performance.now();

  assert.is((await convert({ mcpServers: { a: { command: 'a', args: [open] } } })).status, 200);
  // Quadratic, it was minutes.
  assert.ok(performance.now() - began < 20_000);
  assert.is((await convert({ mcpServers: lines })).body.code, 'invalid_params');
  assert.equal((await convert({ mcpServers: { nested } })).body.configs[0].args, [
    `${begin('A')}\${B}}`,
    `\${C}`,
  ]);
});

test.run();
