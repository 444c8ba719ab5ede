import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type StubService, startStubService } from './stub-service.ts';

const test = suite('svc-mcp update and rollback');
let service: StubService;

test.before(async () => {
  service = await startStubService();
});

test.before.each(() => service.reset());

test.after(() => service.close());

const changed = {
  success: true,
  message: 'Server notes is updated: 2 tools, 1 added, 1 removed.',
  name: 'notes',
  old_digest: 'sha256:aa',
  new_digest: 'sha256:bb',
  tools: { added: ['notes__comes'], removed: ['notes__goes'], changed: ['notes__differs'] },
  tool_count: 2,
};

const sent = () => service.seen.map(({ method, path, body }) => `${method} ${path} ${body}`);

test('an update prints the images and the differences of the tools', async () => {
  service.answer = () => ({ body: { ...changed, warnings: ['The local image is used.'] } });

  const { code, stdout, stderr } = await service.run(['update', 'notes']);

  assert.is(code, 0);
  assert.equal(sent(), ['POST /api/servers/notes/update {}']);
  assert.is(
    stdout,
    [
      changed.message,
      'old image sha256:aa',
      'new image sha256:bb',
      '+ notes__comes',
      '- notes__goes',
      '~ notes__differs',
      '',
    ].join('\n'),
  );
  assert.is(stderr, 'Warning: The local image is used.\n');
});

test('each option is a field of the request', async () => {
  service.answer = () => ({ body: changed });

  await service.run(['update', 'notes', '--dry-run']);
  await service.run(['update', 'notes', '--discard-data']);
  await service.run(['update', 'notes', '--check']);
  await service.run(['rollback', 'notes', '--discard-data']);
  await service.run(['rollback', 'notes', '--dry-run']);

  assert.equal(sent(), [
    'POST /api/servers/notes/update {"dry_run":true}',
    'POST /api/servers/notes/update {"discard_data":true}',
    'POST /api/servers/notes/update {"check":true}',
    'POST /api/servers/notes/rollback {"discard_data":true}',
    'POST /api/servers/notes/rollback {"dry_run":true}',
  ]);
});

test('a check prints the newer image', async () => {
  const update_available = { reference: 'a:1', old_digest: 'sha256:aa', new_digest: 'sha256:bb' };
  service.answer = () => ({ body: { success: true, message: 'There is a newer image.', update_available } });

  const { stdout } = await service.run(['update', 'notes', '--check']);

  assert.is(stdout, 'There is a newer image.\nold image sha256:aa\nnew image sha256:bb\n');
});

test('files that would be lost are named, and how to go on', async () => {
  service.answer = () => ({
    status: 409,
    body: {
      ...{ success: false, code: 'data_at_risk', error: 'Server `notes` has 3 files.' },
      details: { paths: ['/data/a', '/data/b\u001b[2J'], count: 3 },
    },
  });

  const { code, stderr } = await service.run(['rollback', 'notes']);

  assert.is(code, 1);
  const lines = stderr.trimEnd().split('\n');
  assert.equal(lines.slice(0, 2), ['Server `notes` has 3 files.', '  /data/a']);
  assert.not.match(stderr, '\u001b');
  assert.equal(lines.slice(-2), ['  and 1 more', 'With `--discard-data` it is done all the same.']);
});

test('--json prints the answer', async () => {
  service.answer = () => ({ body: changed });

  const { stdout } = await service.run(['rollback', 'notes', '--json']);

  assert.equal(JSON.parse(stdout), changed);
});

test('what is wrongly asked is not sent', async () => {
  for (const args of [
    ['update'],
    ['update', '../x'],
    ['rollback', 'a', 'b'],
    ['update', 'notes', '--check', '--dry-run'],
  ]) {
    assert.is((await service.run(args)).code, 2, args.join(' '));
  }
  assert.equal(sent(), []);
});

test('the list of servers says which have a newer image', async () => {
  const server = {
    name: 'notes',
    transport: 'stdio',
    status: 'running',
    tool_count: 9,
    description: 'Notes',
  };
  service.answer = () => ({ body: { success: true, servers: [{ ...server, update_available: {} }] } });

  const { stdout } = await service.run(['list', 'servers']);

  assert.match(stdout, 'There is a newer image: `npx svc-mcp update notes`.');
});

test.run();
