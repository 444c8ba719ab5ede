import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  commandRequest,
  emptyFields,
  fileOf,
  imageRequest,
  urlRequest,
} from '../../../static/add-server/form-requests.js';

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

test('names follow the contract: single separators inside, 30 characters', () => {
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

test.run();
