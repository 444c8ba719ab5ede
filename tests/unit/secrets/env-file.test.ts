import { execFile } from 'node:child_process';
import { chmod, lstat, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Failure } from '../../../lib/failure.ts';
import { silentLog } from '../../../lib/log.ts';
import { createEnvFile } from '../../../lib/secrets/node-env-file.ts';
import { mountReadOnly } from '../../support/read-only-mount.ts';
import { createRecordingLog } from '../../support/recording-log.ts';
import { createSwappedFolder } from '../../support/swapped-folder.ts';

const test = suite('the env_file secrets method');

let folder: string;
test.before.each(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-mcp-secrets-'));
});
test.after.each(() => rm(folder, { recursive: true, force: true }));

async function refusalOf(work: Promise<unknown>) {
  const error = await work.catch((reason: unknown) => reason);
  if (!(error instanceof Failure)) throw new Error('It did not fail on purpose.', { cause: error });
  const { code, message, details } = error;
  return { code, message, details };
}

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

test('in a volume that is exchanged each version is read whole, and none is written', async () => {
  const textOf = (version: number) => `A=${version}\nB=${version}\n`;
  const swapped = createSwappedFolder(folder, { 'secrets.env': textOf(0) });
  const path = join(folder, 'secrets.env');
  const secrets = createEnvFile({ path, log: silentLog });
  const seen: string[] = [];
  let isDone = false;
  const reading = (async () => {
    while (!isDone) seen.push([...(await secrets.read(['A', 'B'])).values()].join());
  })();
  for (let version = 1; version <= 100; version++) {
    swapped.swap({ 'secrets.env': textOf(version) });
    await new Promise((resolve) => setTimeout(resolve, version % 3));
  }
  isDone = true;
  await reading;

  assert.equal(
    seen.filter((values) => new Set(values.split(',')).size !== 1 || values === ''),
    [],
  );
  assert.equal(await refusalOf(secrets.write(new Map([['NEW', 'hidden value']]))), {
    code: 'secret_read_only',
    message: 'The secrets file is managed elsewhere: put `NEW` there, with the value that you gave.',
    details: { secrets: ['NEW'] },
  });
  assert.equal(await refusalOf(secrets.remove(['A'])), {
    code: 'secret_read_only',
    message: 'The secrets file is managed elsewhere: delete `A` there.',
    details: { secrets: ['A'] },
  });
  // What is there already needs no writing.
  await secrets.write(new Map([['A', '100']]));
  await secrets.remove(['NONE']);
  assert.ok((await lstat(path)).isSymbolicLink());
  assert.is(await readFile(path, 'utf8'), textOf(100));
});

test('a folder that is mounted read-only refuses with the names, never the values', async () => {
  await writeFile(join(folder, 'secrets.env'), 'A=1\n', { mode: 0o600 });
  const unmount = mountReadOnly(folder);
  if (unmount === undefined) return;
  try {
    const secrets = createEnvFile({ path: join(folder, 'secrets.env'), log: silentLog });
    const refusal = await refusalOf(secrets.write(new Map([['NEW', 'hidden value']])));

    assert.equal([refusal.code, refusal.details], ['secret_read_only', { secrets: ['NEW'] }]);
    assert.not.match(JSON.stringify(refusal), 'hidden');
    assert.is((await secrets.read(['A'])).get('A'), '1');
  } finally {
    unmount();
  }
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
