import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  ChangedMeanwhile,
  removeFile,
  replaceFile,
  storageFailed,
} from '../../../lib/files/node-durable-file.ts';
import { listLeftovers, removeOldLeftovers, sweepLeftovers } from '../../../lib/files/node-leftovers.ts';
import { absent, stampOf } from '../../../lib/files/node-regular-file.ts';

const test = suite('writing files durably');

let folder: string;
let path: string;
test.before.each(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-mcp-files-'));
  path = join(folder, 'a.json');
});
test.after.each(() => rm(folder, { recursive: true, force: true }));

const text = () => readFile(path, 'utf8');
const modeOf = async () => (await stat(path)).mode & 0o777;
const stampNow = async () => stampOf(await lstat(path, { bigint: true }));
const errorOf = (work: Promise<unknown>) => work.catch((reason: unknown) => reason);

test('a new file is readable for all, an old one keeps its mode, and a given mode wins', async () => {
  await replaceFile(path, 'new');
  assert.is(await modeOf(), 0o644);
  await chmod(path, 0o640);
  await replaceFile(path, 'old');
  assert.is(await modeOf(), 0o640);
  await replaceFile(path, 'secret', undefined, 0o600);
  assert.is(await modeOf(), 0o600);
});

test('resolves with the modification time that the file has', async () => {
  const modifiedAt = await replaceFile(path, 'x');

  assert.equal(modifiedAt, (await stat(path)).mtime);
});

test('the version that was expected is replaced', async () => {
  await replaceFile(path, 'first', absent);
  await replaceFile(path, 'second', await stampNow());

  assert.is(await text(), 'second');
});

test('a file that changed since its stamp was taken is not replaced', async () => {
  await writeFile(path, 'first');
  const stamp = await stampNow();
  await writeFile(path, 'by hand');

  assert.instance(await errorOf(replaceFile(path, 'second', stamp)), ChangedMeanwhile);
  assert.instance(await errorOf(replaceFile(path, 'second', absent)), ChangedMeanwhile);
  assert.is(await text(), 'by hand');
});

test('a last check that fails leaves everything as it was', async () => {
  await writeFile(path, 'first');
  const failing = replaceFile(path, 'second', await stampNow(), undefined, () => Promise.reject('lost'));

  assert.is(await errorOf(failing), 'lost');
  assert.is(await text(), 'first');
  assert.equal(await readdir(folder), ['a.json']);
});

test('a temporary file that another writer took away is not put in place, and nothing else is', async () => {
  await writeFile(path, 'first');
  const takeAway = async () => {
    for (const { path: leftover } of await listLeftovers(folder)) await rm(leftover);
  };

  const error = await errorOf(replaceFile(path, 'second', await stampNow(), undefined, takeAway));

  assert.instance(error, ChangedMeanwhile);
  assert.is(await text(), 'first');
  assert.equal(await readdir(folder), ['a.json']);
});

test('a write that fails leaves no temporary file', async () => {
  await mkdir(path);

  assert.instance(await errorOf(replaceFile(path, 'x')), Error);
  assert.equal(await readdir(folder), ['a.json']);
});

test('removing a file that is gone already is fine', async () => {
  await writeFile(path, 'x');
  await removeFile(path);
  await removeFile(path);

  assert.equal(await readdir(folder), []);
});

test('only what a killed writer of that file left long ago is removed', async () => {
  const old = ['a.json.0123456789ab.tmp', 'b.json.0123456789ab.tmp', 'a.json.my-notes.tmp'];
  for (const file of [...old, 'a.json.ba9876543210.tmp']) await writeFile(join(folder, file), '');
  for (const file of old) await utimes(join(folder, file), new Date(0), new Date(0));

  await removeOldLeftovers(path);

  assert.equal((await readdir(folder)).sort(), [
    'a.json.ba9876543210.tmp',
    'a.json.my-notes.tmp',
    'b.json.0123456789ab.tmp',
  ]);
});

test('the sweep at start takes what killed writers left, and nothing else', async () => {
  const ours = (target: string) => target.endsWith('.json');
  const old = ['a.json.0123456789ab.tmp', 'b.json.0123456789ab.tmp'];
  const stays = ['a.json.ba9876543210.tmp', 'a.json.my-notes.tmp', 'a.json', 'notes.txt.0123456789ab.tmp'];
  for (const file of [...old, ...stays]) await writeFile(join(folder, file), '');
  for (const file of [...old, ...stays.slice(1)]) await utimes(join(folder, file), new Date(0), new Date(0));

  await sweepLeftovers(folder, ours);

  assert.equal((await readdir(folder)).sort(), [...stays].sort());
});

test('under a lock the sweep needs no age', async () => {
  const fresh = join(folder, 'a.json.ba9876543210.tmp');
  await writeFile(fresh, '');
  const locked: string[] = [];

  await sweepLeftovers(
    folder,
    () => true,
    async (target, work) => {
      locked.push(target);
      await work();
    },
  );

  assert.equal(locked, ['a.json']);
  assert.equal(await readdir(folder), []);
});

test('a folder that is not there has nothing to sweep', () =>
  sweepLeftovers(join(folder, 'none'), () => true));

test('a full disk is 507, any other refusal 500, and neither tells the path', () => {
  const refusal = (code: string) =>
    storageFailed('The file', Object.assign(new Error('at /secret'), { code }));

  assert.equal([refusal('ENOSPC').status, refusal('EDQUOT').status, refusal('EIO').status], [507, 507, 500]);
  assert.is(refusal('ENOSPC').message, 'The file could not be written: the disk is full.');
  assert.is(refusal('EIO').message, 'The file could not be written: the disk refused it (EIO).');
});

test.run();
