import { execFile } from 'node:child_process';
import { chmod, lstat, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { silentLog } from '../../../lib/log.ts';
import { createEnvFile } from '../../../lib/secrets/node-env-file.ts';
import { createRecordingLog } from '../../support/recording-log.ts';

const test = suite('the env_file secrets method');

let folder: string;
test.before.each(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-mcp-secrets-'));
});
test.after.each(() => rm(folder, { recursive: true, force: true }));

const modeOf = async (path: string) => (await stat(path)).mode & 0o777;

test('without a file there are no secrets, and the method is reachable', async () => {
  const secrets = createEnvFile({ path: join(folder, 'none.env'), log: silentLog });

  assert.is((await secrets.names()).size, 0);
  assert.is((await secrets.read(['A'])).size, 0);
  assert.ok(await secrets.isReachable());
});

test('writes a file that only its owner can read, in a folder it makes', async () => {
  const path = join(folder, 'new', 'secrets.env');
  const secrets = createEnvFile({ path, log: silentLog });

  await secrets.write(new Map([['A', 'it\'s "it"\n']]));

  assert.is(await modeOf(path), 0o600);
  assert.is((await secrets.read(['A'])).get('A'), 'it\'s "it"\n');
  assert.equal(await readdir(join(folder, 'new')), ['secrets.env']);
});

test('tightens a file that others could read, and says so', async () => {
  const path = join(folder, 'secrets.env');
  await writeFile(path, 'A=1\n');
  await chmod(path, 0o644);
  const { log, logged } = createRecordingLog();

  const values = await createEnvFile({ path, log }).read(['A']);

  assert.is(values.get('A'), '1');
  assert.is(await modeOf(path), 0o600);
  assert.is(logged.length, 1);
});

test('answers only the names asked for, from the file as it is now', async () => {
  const path = join(folder, 'secrets.env');
  await writeFile(path, 'A=1\nB=2\n', { mode: 0o600 });
  const secrets = createEnvFile({ path, log: silentLog });
  await secrets.read(['A']);
  await writeFile(path, 'A=changed\nB=2\n');

  const values = await secrets.read(['A', 'MISSING']);

  assert.equal([...values], [['A', 'changed']]);
});

test('writes at the same time lose nothing', async () => {
  const secrets = createEnvFile({ path: join(folder, 'secrets.env'), log: silentLog });
  const names = Array.from({ length: 20 }, (_, at) => `NAME_${at}`);

  await Promise.all(names.map((name) => secrets.write(new Map([[name, name]]))));
  await Promise.all([secrets.remove(['NAME_0']), secrets.write(new Map([['NAME_1', 'new']]))]);

  const values = await secrets.read(names);
  assert.is(values.size, 19);
  assert.is(values.get('NAME_1'), 'new');
});

/** Another process, told through its arguments, that writes as many names, one at a time. */
function writerProcess(path: string, prefix: string, count: number): Promise<unknown> {
  const script = `
    import { createEnvFile } from './lib/secrets/node-env-file.ts';
    const [path, prefix, count] = process.argv.slice(1);
    const log = { debug() {}, info() {}, warn() {}, error() {} };
    const secrets = createEnvFile({ path, log });
    for (let at = 0; at < Number(count); at++) await secrets.write(new Map([[prefix + at, 'x']]));
  `;
  const flags = ['--import', 'tsx', '--input-type=module', '--eval', script];
  return promisify(execFile)(process.execPath, [...flags, path, prefix, String(count)]);
}

test('processes that write at the same time lose nothing', async () => {
  const path = join(folder, 'secrets.env');
  await Promise.all(['A_', 'B_'].map((prefix) => writerProcess(path, prefix, 60)));

  assert.is((await createEnvFile({ path, log: silentLog }).names()).size, 120);
});

test('a link to the file stays a link', async () => {
  await writeFile(join(folder, 'real.env'), 'A=1\n', { mode: 0o600 });
  const path = join(folder, 'secrets.env');
  await symlink('real.env', path);

  await createEnvFile({ path, log: silentLog }).write(new Map([['B', '2']]));

  assert.ok((await lstat(path)).isSymbolicLink());
  assert.is(await readFile(join(folder, 'real.env'), 'utf8'), 'A=1\nB=2\n');
});

test('a file that cannot be read is unreachable, with a sentence that shows no path', async () => {
  const secrets = createEnvFile({ path: folder, log: silentLog });

  assert.not(await secrets.isReachable());
  await secrets.read(['A']).then(
    () => assert.unreachable(),
    (error: Error) =>
      assert.match(error.message, /^The secrets file cannot be read\. It is not a regular file/),
  );
});

test.run();
