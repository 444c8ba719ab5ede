import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type StubService, startStubService } from './stub-service.ts';

const test = suite('svc-mcp: wrong usage');
let service: StubService;

test.before(async () => {
  service = await startStubService();
});

test.after(() => service.close());

test('no command prints the commands on stderr and exits 2', async () => {
  const { code, stdout, stderr } = await service.run([]);

  assert.is(code, 2);
  assert.is(stdout, '');
  for (const command of [
    'register',
    'deregister',
    'update',
    'rollback',
    'list',
    'call',
    'import',
    'client',
  ]) {
    assert.match(stderr, new RegExp(`^ {2}${command} `, 'm'));
  }
});

test('--help is no failure and goes to stdout', async () => {
  const { code, stdout, stderr } = await service.run(['register', '--help']);

  assert.is(code, 0);
  assert.is(stderr, '');
  assert.match(stdout, /--dry-run/);
  assert.match(stdout, 'at most 30 characters');
});

test('an unknown command is named', async () => {
  const { code, stderr } = await service.run(['regster']);

  assert.is(code, 2);
  assert.match(stderr, /Unknown command 'regster'/);
});

test('register without -c says what is missing, in one line', async () => {
  const { code, stderr } = await service.run(['register']);

  assert.is(code, 2);
  assert.is(
    stderr,
    "Required option '-c, --config <config_path>' not specified. See `npx svc-mcp --help`.\n",
  );
});

test('an unknown option exits 2', async () => {
  const { code, stderr } = await service.run(['register', '--config-path=x', '-z']);

  assert.is(code, 2);
  assert.is(stderr.trim().split('\n').length, 1);
});

test('deregister without a name, with two, or with a path asks nothing of the service', async () => {
  const seenBefore = service.seen.length;

  for (const args of [[], ['a', 'b'], ['../x'], ['a__b'], ['..']]) {
    const { code, stderr } = await service.run(['deregister', ...args]);
    assert.is(code, 2, args.join(' '));
    assert.is.not(stderr, '');
  }

  assert.is(service.seen.length, seenBefore);
});

test('list takes only what there is to list', async () => {
  const { code, stderr } = await service.run(['list', 'sessions']);

  assert.is(code, 2);
  assert.match(stderr, /servers, tools, groups/);
});

test('an address that is none is refused before anything is sent', async () => {
  const { code, stderr } = await service.run(['list', 'servers', '--manager', 'localhost:3701']);

  assert.is(code, 2);
  assert.match(stderr, /--manager/);
});

test('arguments of a call that are no JSON object exit 2 and show the form', async () => {
  for (const text of ['[1]', '{"a":', 'null', 'hello']) {
    const { code, stderr } = await service.run(['call', 'everything__echo', '--args', text]);
    assert.is(code, 2, text);
    assert.match(stderr, /\{"message": "hello"\}/);
  }
});

test.run();
