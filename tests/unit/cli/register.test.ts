import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type StubService, startStubService } from './stub-service.ts';

const test = suite('svc-mcp register');
let service: StubService;

const config = { name: 'files', transport: 'stdio', command: 'node', args: ['server.js'], env: { KEY: 'v' } };
const registered = {
  success: true,
  message: 'Server files is registered with 2 tools.',
  name: 'files',
  tools: ['files__read', 'files__write'],
  warnings: [],
  added_tools: ['files__write'],
  removed_tools: ['files__old'],
};

test.before(async () => {
  service = await startStubService();
});

test.before.each(() => {
  service.reset();
  service.answer = () => ({ status: 201, body: registered });
});

test.after(() => service.close());

test('sends the file as it is over the admin socket and prints the tools', async () => {
  const path = await service.file('files.json', config);

  const { code, stdout, stderr } = await service.run(['register', '-c', path]);

  assert.is(code, 0);
  assert.is(stderr, '');
  assert.is(stdout, 'Server files is registered with 2 tools.\n  files__read\n  files__write\n');
  const [request] = service.seen;
  assert.is(`${request?.method} ${request?.path}`, 'POST /api/servers');
  assert.is(request?.headers['content-type'], 'application/json');
  assert.equal(JSON.parse(request?.body ?? ''), { ...config, replace: true });
});

test('--dry-run asks for nothing but a look and prints what would change', async () => {
  const path = await service.file('files.json', config);

  const { stdout } = await service.run(['register', '-c', path, '--dry-run']);

  assert.equal(JSON.parse(service.seen[0]?.body ?? ''), { ...config, dry_run: true, replace: true });
  assert.match(stdout, '+ files__write\n- files__old\n');
});

test('--json prints the answer for machines', async () => {
  const path = await service.file('files.json', config);

  const { stdout } = await service.run(['register', '-c', path, '--json']);

  assert.equal(JSON.parse(stdout), registered);
});

test('a command that the service names is printed as it works in this terminal', async () => {
  const path = await service.file('files.json', config);
  service.answer = () => ({ body: { ...registered, warnings: ['Others after `svc-mcp expose files`.'] } });

  const { stderr } = await service.run(['register', '-c', path]);

  assert.match(stderr, /^Warning: Others after `(node .*bin\/svc-mcp\.js|npx svc-mcp) expose files`\.\n$/);
});

test('warnings go to stderr and are no failure', async () => {
  const path = await service.file('files.json', config);
  service.answer = () => ({ body: { ...registered, warnings: ['The variable KEY has no value.'] } });

  const { code, stderr } = await service.run(['register', '-c', path]);

  assert.is(code, 0);
  assert.is(stderr, 'Warning: The variable KEY has no value.\n');
});

test("the service's refusal is the one sentence on stderr, exit 1", async () => {
  const path = await service.file('files.json', {});
  service.answer = () => ({
    status: 400,
    body: { success: false, error: 'Field `name`: expected a string.' },
  });

  const { code, stdout, stderr } = await service.run(['register', '-c', path]);

  assert.is(code, 1);
  assert.is(stdout, '');
  assert.is(stderr, 'Field `name`: expected a string.\n');
});

test('the last lines of a server that did not start stand below the sentence', async () => {
  const path = await service.file('files.json', config);
  const log_tail = ['at start', 'Error: API_KEY is not set\u001b[2J'];
  const refusal = { success: false, error: 'It is unavailable.', code: 'upstream_unavailable' };
  service.answer = () => ({ status: 502, body: { ...refusal, details: { log_tail } } });

  const { code, stderr } = await service.run(['register', '-c', path]);

  assert.is(code, 1);
  assert.is(
    stderr,
    'It is unavailable.\nIts last lines:\n  at start\n  Error: API_KEY is not set\\u001b[2J\n',
  );
});

test('the text of a file that is managed elsewhere stands below the sentence', async () => {
  const path = await service.file('files.json', config);
  const refusal = { success: false, error: 'It is managed elsewhere.', code: 'config_read_only' };
  const details = { file: 'files.json', text: '{\n  "name": "files\u001b[2J"\n}\n', secrets: [] };
  service.answer = () => ({ status: 409, body: { ...refusal, details } });

  const { code, stderr } = await service.run(['register', '-c', path]);

  assert.is(code, 1);
  assert.is(stderr, 'It is managed elsewhere.\n\nfiles.json:\n{\n  "name": "files\\u001b[2J"\n}\n');
});

test('escape sequences in what a server says never reach the terminal', async () => {
  const path = await service.file('files.json', config);
  service.answer = () => ({ body: { ...registered, tools: ['files__\u001b[2Jread\u0007'] } });

  const { stdout } = await service.run(['register', '-c', path]);

  assert.match(stdout, 'files__\\u001b[2Jread\\u0007');
  assert.not.match(stdout, '\u001b');
});

test('a file that starts with a byte order mark is read', async () => {
  const path = await service.file('bom.json', `\uFEFF${JSON.stringify(config)}`);

  assert.is((await service.run(['register', '-c', path])).code, 0);
});

test('what is no readable JSON object is refused at once, with a sentence, and nothing is sent', async () => {
  const pipe = join(service.directory, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const wrong: [string, RegExp][] = [
    ['/no/such/file', /there is no such file/],
    [service.directory, /is a folder/],
    ['/dev/zero', /not a regular file/],
    [pipe, /not a regular file/],
    [await service.file('list.json', '[]'), /must hold one JSON object/],
    [await service.file('broken.json', '{"name": '), /not valid JSON/],
    [await service.file('empty.json', ''), /not valid JSON/],
    [await service.file('large.json', `{"name":"${'x'.repeat(4 * 1024 * 1024)}"}`), /larger than 4 MiB/],
  ];
  const startedAt = Date.now();

  for (const [path, sentence] of wrong) {
    const { code, stderr } = await service.run(['register', '-c', path]);
    assert.is(code, 1, path);
    assert.match(stderr, sentence);
    assert.is(stderr.trim().split('\n').length, 1);
  }

  assert.ok(Date.now() - startedAt < 2000);
  assert.is(service.seen.length, 0);
});

test.run();
