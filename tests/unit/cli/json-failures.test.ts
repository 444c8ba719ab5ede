import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type StubService, startStubService } from './stub-service.ts';

const test = suite('gateway --json: failures');
let service: StubService;

test.before(async () => {
  service = await startStubService();
});

test.before.each(() => service.reset());
test.after(() => service.close());

/** The one line that stderr holds. */
async function failureOf(args: readonly string[], environment: Record<string, string> = {}) {
  const { code: exitCode, stdout, stderr } = await service.run([...args, '--json'], environment);
  assert.is(stderr.trimEnd().split('\n').length, 1, stderr);
  return { exitCode, stdout, error: JSON.parse(stderr).error };
}

test('a refusal of the service keeps its code, sentence and details', async () => {
  const details = { server: 'x', affected_groups: { g: ['x__y'] } };
  service.answer = () => ({
    status: 409,
    body: { success: false, error: 'There is one.', code: 'conflict', details },
  });

  const { exitCode, stdout, error } = await failureOf(['restart', 'x']);

  assert.is(exitCode, 1);
  assert.is(stdout, '');
  assert.equal(error, { code: 'conflict', message: 'There is one.', details });
});

test('wrong usage is JSON too, with exit code 2', async () => {
  for (const args of [['regster'], ['register'], ['list', 'sessions'], ['deregister', '../x'], []]) {
    const { exitCode, stdout, error } = await failureOf(args);
    assert.is(exitCode, 2, args.join(' '));
    assert.is(stdout, '');
    assert.is(error.code, 'usage');
    assert.type(error.message, 'string');
  }
});

test('a service that is not there is `service_unreachable`', async () => {
  const { exitCode, error } = await failureOf(['list', 'servers'], {
    DATA_DIR: join(service.directory, 'other'),
  });

  assert.is(exitCode, 1);
  assert.is(error.code, 'service_unreachable');
});

test('a file that cannot be read is `failed`, a setting that is none is `invalid_setting`', async () => {
  const file = await failureOf(['register', '-c', join(service.directory, 'none.json')]);
  const setting = await failureOf(['list', 'servers'], { INTERNAL_GATEWAY_URL: 'nonsense' });

  assert.equal([file.exitCode, file.error.code], [1, 'failed']);
  assert.match(file.error.message, 'there is no such file');
  assert.equal([setting.exitCode, setting.error.code], [1, 'invalid_setting']);
});

test('an import says everything on stdout as JSON, and that something failed on stderr', async () => {
  const path = await service.file('mcp.json', {
    mcpServers: { 'My Server!': { url: 'http://127.0.0.1:9/', autoApprove: [] } },
  });
  service.answer = () => ({
    status: 502,
    body: { success: false, error: 'No.', code: 'upstream_unavailable' },
  });

  const { exitCode, stdout, error } = await failureOf(['import', path]);
  const [{ notes, ...outcome }] = JSON.parse(stdout).servers;

  assert.is(exitCode, 1);
  assert.equal(outcome, { name: 'My-Server', outcome: 'failed', reason: 'No.' });
  assert.match(notes.join('\n'), 'My Server!');
  assert.match(notes.join('\n'), 'at most 30 characters');
  assert.match(notes.join('\n'), 'autoApprove');
  assert.is(error.code, 'failed');
});

test('without --json nothing changes', async () => {
  service.answer = () => ({
    status: 409,
    body: { success: false, error: 'There is one.', code: 'conflict' },
  });

  const { code, stderr } = await service.run(['restart', 'x']);

  assert.is(code, 1);
  assert.is(stderr, 'There is one.\n');
});

test('a wrong token and a missing one have different reasons', async () => {
  service.answer = () => ({ status: 401, body: { success: false, error: 'no', code: 'unauthorized' } });
  const args = ['list', 'servers', '--manager', service.url];

  const missing = await service.run(args);
  const wrong = await service.run(args, { ADMIN_TOKEN: 'not-it' });
  const { error } = await failureOf(args, { ADMIN_TOKEN: 'not-it' });

  assert.match(missing.stderr, /^The service wants its admin token: set ADMIN_TOKEN/);
  assert.match(wrong.stderr, /^The service does not accept this ADMIN_TOKEN: /);
  assert.not.match(wrong.stderr, 'not-it');
  assert.equal([error.code, error.details], ['unauthorized', { reason: 'wrong' }]);
});

test.run();
