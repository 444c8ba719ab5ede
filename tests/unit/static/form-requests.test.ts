import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { RegistrationBody } from '../../../handlers/manager/servers/registration-body.ts';
import { check } from '../../../lib/json/check.ts';
import type { AnyStruct } from '../../../lib/json/json-schema.ts';
import { ProvisionRequest } from '../../../lib/registry/provisioning/provision-request.ts';
import { emptyFields } from '../../../static/add-server/form-fields.js';
import * as requests from '../../../static/add-server/form-requests.js';
import { rulesOf } from '../../../static/lib/api-rules.js';
import { document } from '../../support/api-document.ts';

const { fileOf } = requests;
const rules = rulesOf(document);
const [ofConfig, ofProvision] = [
  rules.bodyOf('POST /api/servers'),
  rules.bodyOf('POST /api/servers/provision'),
];
type Typed = ReturnType<typeof emptyFields>;
const imageRequest = (typed: Typed) => requests.imageRequest(typed, ofProvision);
const urlRequest = (typed: Typed) => requests.urlRequest(typed, ofConfig);
const commandRequest = (typed: Typed) => requests.commandRequest(typed, ofConfig);

const test = suite('what the Add dialog sends');
const row = (name: string, value = 'v', id = 1) => ({ id, name, value });
const fields = (patch: object) => ({ ...emptyFields(), name: 'time', ...patch });

test('an image alone is name and image, and nothing else', () => {
  const { problems, body } = imageRequest(fields({ image: ' mcp/time:1 ' }));

  assert.equal(problems, {});
  assert.equal(body, { name: 'time', image: 'mcp/time:1' });
});

test('arguments are words, variables an object, port a number', () => {
  const { body } = imageRequest(
    fields({
      image: 'i',
      command: '--tz "Europe/Berlin"',
      variables: [row('KEY')],
      port: '3001',
      path: '/mcp',
    }),
  );

  assert.equal(body, {
    ...{ name: 'time', image: 'i', command: ['--tz', 'Europe/Berlin'] },
    ...{ env_vars: { KEY: 'v' }, port: 3001, path: '/mcp' },
  });
});

test('port and path are left out for stdio, where the service refuses them', () => {
  const { problems, body } = imageRequest(fields({ image: 'i', transport: 'stdio', port: 'x', path: 'y' }));

  assert.equal(problems, {});
  assert.equal(body, { name: 'time', image: 'i', transport: 'stdio' });
});

test('how a container is made goes into the fields of a provision', () => {
  const { problems, body } = imageRequest(
    fields({
      ...{
        image: 'i',
        volumes: ' /data \n\n/srv/project:/work:ro\nmydata:/db',
        entrypoint: 'node "my server.js"',
      },
      ...{ memory: '1024', cpus: '0.5', shm: '128', startSeconds: '90', pull: 'never' },
    }),
  );

  assert.equal(problems, {});
  assert.equal(body, {
    ...{ name: 'time', image: 'i' },
    volumes: [
      { path: '/data' },
      { path: '/work', source: '/srv/project', read_only: true },
      { path: '/db', source: 'mydata' },
    ],
    ...{ entrypoint: ['node', 'my server.js'], limits: { memory_mb: 1024, cpus: 0.5 }, shm_mb: 128 },
    ...{ timeouts: { start_ms: 90_000 }, pull: 'never' },
  });
});

test('what is wrong about it is told at its place', () => {
  const wrong = { entrypoint: '"open', memory: '1.5', cpus: 'two', shm: '0', startSeconds: '601' };

  assert.equal(Object.keys(imageRequest(fields({ image: 'i', volumes: 'data', ...wrong })).problems).sort(), [
    'cpus',
    'entrypoint',
    'memory',
    'shm',
    'startSeconds',
    'volumes',
  ]);
  for (const volumes of [':/data', '/srv:data', '/a:/b:rw', '/a:/b:ro:z']) {
    assert.match(
      imageRequest(fields({ image: 'i', volumes: `/fine\n${volumes}` })).problems.volumes ?? '',
      'Line 2',
    );
  }
});

test('a row that was left empty is not sent', () => {
  assert.equal(imageRequest(fields({ image: 'i', variables: [row('', '')] })).body, {
    name: 'time',
    image: 'i',
  });
});

test('names follow the grammar of servers: single separators inside, 30 characters', () => {
  for (const name of ['', 'a__b', '_a', 'a.', 'a b', 'x'.repeat(31)]) {
    assert.ok(imageRequest(fields({ name, image: 'i' })).problems.name, name);
  }
  for (const name of ['a', 'a.b-c_d', 'x'.repeat(30)]) {
    assert.is(imageRequest(fields({ name, image: 'i' })).problems.name, undefined, name);
  }
});

test('each wrong field is told at its place', () => {
  const { problems } = imageRequest(
    fields({ command: '"open', variables: [row('1X')], port: '70000', path: 'no-slash' }),
  );

  assert.equal(Object.keys(problems).sort(), ['command', 'image', 'path', 'port', 'variables']);
});

test('a variable given twice, or a value without a name, is a problem', () => {
  const twice = imageRequest(fields({ image: 'i', variables: [row('A', '1'), row('A', '2', 2)] }));
  const nameless = imageRequest(fields({ image: 'i', variables: [row('', 'value')] }));

  assert.match(twice.problems.variables ?? '', /twice/);
  assert.match(nameless.problems.variables ?? '', /no name/);
});

test('an address becomes a config of Streamable HTTP, or of the older protocol when asked for', () => {
  const typed = { url: 'https://mcp.example/mcp', headers: [row('X-Key')], transport: 'sse' };

  assert.is(urlRequest(fields({ url: 'https://a.example' })).body.transport, 'streamable_http');
  assert.equal(urlRequest(fields(typed)).body, {
    ...{ name: 'time', transport: 'sse', url: 'https://mcp.example/mcp', headers: { 'X-Key': 'v' } },
  });
});

test('what was typed on another tab neither stops nor joins an address', () => {
  const { problems, body } = urlRequest(
    fields({ url: 'http://a', command: '"open', variables: [row('1X')] }),
  );

  assert.equal(problems, {});
  assert.equal(body, { name: 'time', transport: 'streamable_http', url: 'http://a' });
});

test('anything but an http address is a problem', () => {
  for (const url of ['', 'mcp.example', 'file:///etc/passwd', 'javascript:alert(1)', 'http://']) {
    assert.ok(urlRequest(fields({ url })).problems.url, url);
  }
});

test('a command line becomes command and arguments', () => {
  const { body } = commandRequest(fields({ command: 'npx -y "some server"', variables: [row('KEY')] }));

  assert.equal(body, {
    ...{ name: 'time', transport: 'stdio', command: 'npx', args: ['-y', 'some server'], env: { KEY: 'v' } },
  });
});

test('the file for the terminal holds no value', () => {
  const file = fileOf(commandRequest(fields({ command: 'x', variables: [row('KEY', 'canary')] })).body);

  assert.equal(JSON.parse(file).env, { KEY: '…' });
  assert.not.match(file, 'canary');
});

test('each problem is told in the sentence of its field', () => {
  const told = (patch: object) => imageRequest(fields({ image: 'i', ...patch })).problems;

  assert.equal(told({ name: 'a__b' }), { name: 'Letters and digits, with single . _ or - between them.' });
  assert.equal(told({ name: 'x'.repeat(31) }), { name: 'At most 30 characters.' });
  assert.equal(told({ image: 'a b' }), { image: 'An image has no blanks in it; arguments go below.' });
  assert.equal(told({ image: 'Time' }), { image: 'An image is named like mcp/time:1, with small letters.' });
  assert.equal(told({ variables: [row('1X')] }), { variables: '“1X” cannot be a name here.' });
  assert.equal(told({ port: '70000' }), { port: 'A whole number from 1 to 65535.' });
  assert.equal(told({ path: 'mcp' }), { path: 'A path that starts with /.' });
  assert.equal(told({ memory: '15' }), { memory: 'A whole number from 16 to 1,048,576.' });
  assert.equal(told({ cpus: '0' }), { cpus: 'A number from 0.01 to 256.' });
  assert.equal(told({ startSeconds: '601' }), { startSeconds: 'A whole number from 1 to 600.' });
  assert.equal(told({ volumes: '/a\n/a' }), { volumes: 'Each path once.' });
  assert.equal(told({ pull: 'often' }), { pull: 'This cannot be used here.' });
  assert.equal(urlRequest(fields({ url: 'http://a', headers: [row('X', 'a\nb')] })).problems, {
    headers: 'The value of “X” cannot be used here.',
  });
});

const verdicts: readonly (readonly [keyof Typed, readonly unknown[]])[] = [
  ['name', ['a', 'a.b-c_d', 'x'.repeat(30), 'x'.repeat(31), 'a__b', '_a', 'a.', 'a b', 'é']],
  ['image', ['x', 'acme/x:1', 'localhost:5000/a/b', 'A', 'a b', 'a:', '--help', 'a'.repeat(401)]],
  ['variables', ['A', '_b1', '1A', 'A-B', 'Ä', '__proto__'].map((name) => [row(name)])],
  ['port', ['1', '65535', '0', '65536', '1.5']],
  ['path', ['/', '/mcp', 'mcp', '/a b', '/a?b']],
  ['memory', ['16', '1048576', '15', '1048577', '16.5']],
  ['cpus', ['0.01', '256', '0.009', '257']],
  ['shm', ['1', '0', '1048577']],
  ['startSeconds', ['1', '600', '0', '601']],
  ['pull', ['always', 'never', 'often']],
  ['volumes', ['/data', '/srv/a b:/work:ro', 'my.data:/db', 'data', '/', '/a/../b', 'a/b:/c', `/\${A}`]],
  ['entrypoint', ['node server.js', '"" x']],
  ['description', ['', 'x'.repeat(8192), 'x'.repeat(8193)]],
];

const isAccepted = (body: unknown, struct: AnyStruct) => {
  try {
    check(body, struct);
    return true;
  } catch {
    return false;
  }
};

test('the verdict of the form is that of the service, whatever is typed', () => {
  let refused = 0;
  for (const [field, values] of verdicts) {
    for (const value of values) {
      const typed = fields({ image: 'i', [field]: value });
      // What breaks a rule is left out of a number's place, so the body is made without rules.
      const { body } = requests.imageRequest(typed);
      const isFine = Object.keys(imageRequest(typed).problems).length === 0;
      if (!isFine) refused++;
      assert.is(isFine, isAccepted(body, ProvisionRequest), `${field}: ${JSON.stringify(value)}`);
    }
  }
  assert.ok(refused > 30);
});

test('so it is of addresses, headers and commands', () => {
  for (const url of ['http://a', 'HTTPS://a.example/mcp?key=1', '', 'a', 'ftp://a', 'http://', `\${URL}`]) {
    const { problems, body } = urlRequest(fields({ url }));
    assert.is(Object.keys(problems).length === 0, isAccepted(body, RegistrationBody), url);
  }
  for (const name of ['X-Key', '*', 'A B', 'A:', '__proto__']) {
    const { problems, body } = urlRequest(fields({ url: 'http://a', headers: [row(name)] }));
    assert.is(Object.keys(problems).length === 0, isAccepted(body, RegistrationBody), name);
  }
  for (const command of ['npx -y x', '""', `x ${'y'.repeat(8193)}`]) {
    const { problems, body } = commandRequest(fields({ command }));
    assert.is(Object.keys(problems).length === 0, isAccepted(body, RegistrationBody), command);
  }
});

test('without rules the form is sent as it is, and only what cannot be sent is told', () => {
  const typed = fields({ name: 'a__b', image: 'A b', port: '70000', memory: '1', volumes: 'data' });

  assert.equal(requests.imageRequest(typed), {
    problems: {},
    body: {
      ...{ name: 'a__b', image: 'A b', port: 70_000, limits: { memory_mb: 1 }, volumes: [{ path: 'data' }] },
    },
  });
  const nothing = requests.imageRequest({ ...emptyFields(), command: '"open', cpus: 'two' }).problems;
  assert.equal(Object.keys(nothing).sort(), ['command', 'cpus', 'image', 'name']);
});

test('the older protocol of an address says nothing of an image', () => {
  assert.is(imageRequest(fields({ image: 'i', transport: 'sse' })).body.transport, undefined);
});

test.run();
