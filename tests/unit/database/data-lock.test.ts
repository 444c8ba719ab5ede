import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { lockDataDir } from '../../../lib/database/node-data-lock.ts';

const test = suite('data lock');

let directory: string;
const children: ChildProcess[] = [];

test.before.each(async () => {
  directory = await mkdtemp(join(tmpdir(), 'svc-mcp-lock-'));
});
test.after.each(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await rm(directory, { recursive: true, force: true });
});

const program = `
  const { lockDataDir } = await import(process.argv[1]);
  await lockDataDir(process.argv[2]).then(
    () => { process.stdout.write('locked'); setInterval(() => {}, 1000); },
    (error) => process.stdout.write(error.message),
  );
`;

/** A process that locks the directory and lives on, or ends with the refusal; resolves to what it said. */
async function lockInChild(): Promise<{ child: ChildProcess; said: string }> {
  const module = new URL('../../../lib/database/node-data-lock.ts', import.meta.url).href;
  const args = ['--import', 'tsx', '--input-type=module', '-e', program, module, directory];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  const said = await new Promise<string>((resolve) =>
    child.stdout.once('data', (data) => resolve(String(data))),
  );
  return { child, said };
}

async function end(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await ended;
}

test('a second lock is refused in a sentence that names the setting, the process and the remedy', async () => {
  await lockDataDir(directory);

  const refusal = await lockDataDir(directory).then(
    () => assert.unreachable('was not refused'),
    (error: Error) => error,
  );

  assert.match(refusal?.message ?? '', `DATA_DIR ${directory} is in use by process ${process.pid}`);
  assert.match(refusal?.message ?? '', 'DATABASE_URL');
});

test('another process is refused while the holder lives', async () => {
  await lockDataDir(directory);

  const { said } = await lockInChild();

  assert.match(said, `in use by process ${process.pid}`);
});

test('a released lock can be taken again, and nothing is left behind', async () => {
  const lock = await lockDataDir(directory);
  await lock.release();
  const second = await lockDataDir(directory);

  await second.release();

  assert.equal(await readdir(directory), []);
});

test('releasing a second time leaves the lock of the next holder alone', async () => {
  const first = await lockDataDir(directory);
  await first.release();
  await lockDataDir(directory);

  await first.release();

  assert.equal(await readdir(directory), ['lock']);
});

test('the lock of a process that was killed is replaced', async () => {
  const { child, said } = await lockInChild();
  assert.is(said, 'locked');
  await end(child);

  const lock = await lockDataDir(directory);

  assert.equal(await readdir(directory), ['lock']);
  await lock.release();
});

test('a lock whose process number belongs to another process by now is replaced', async () => {
  const lock = await lockDataDir(directory);
  const holder = JSON.parse(await readFile(join(directory, 'lock'), 'utf8'));
  await lock.release();
  await writeFile(join(directory, 'lock'), JSON.stringify({ ...holder, startedAt: 'another/1' }));

  await lockDataDir(directory);

  const now = JSON.parse(await readFile(join(directory, 'lock'), 'utf8'));
  assert.is(now.startedAt, holder.startedAt);
});

test('a lock that a power cut left unreadable is replaced', async () => {
  await writeFile(join(directory, 'lock'), '');

  await lockDataDir(directory);

  assert.equal(await readdir(directory), ['lock']);
});

test('of several that find the same stale lock at once, exactly one gets it', async () => {
  for (let round = 0; round < 20; round += 1) {
    await writeFile(join(directory, 'lock'), staleLock());

    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => lockDataDir(directory)));

    const winners = outcomes.filter(({ status }) => status === 'fulfilled');
    assert.is(winners.length, 1);
    assert.equal(await readdir(directory), ['lock']);
  }
});

test('of several processes that find the same stale lock at once, exactly one gets it', async () => {
  await writeFile(join(directory, 'lock'), staleLock());

  const outcomes = await Promise.all([lockInChild(), lockInChild(), lockInChild()]);

  assert.is(outcomes.filter(({ said }) => said === 'locked').length, 1);
});

test('a replacement that was killed halfway does not stand in the way', async () => {
  await writeFile(join(directory, 'lock'), staleLock());
  await writeFile(join(directory, `lock.${staleToken}`), staleLock('11111111-1111-4111-8111-111111111111'));

  await lockDataDir(directory);

  assert.equal(await readdir(directory), ['lock']);
});

const staleToken = '00000000-0000-4000-8000-000000000000';

/** Held by nobody: no process has such a number. */
function staleLock(token = staleToken): string {
  return JSON.stringify({ pid: 2 ** 30, startedAt: '', token });
}

test.run();
