import { execFileSync } from 'node:child_process';
import { lstat, mkdir, mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { maxFileBytes, readRegularFile, stampOf } from '../../../lib/files/node-regular-file.ts';

const test = suite('reading files of unknown origin');

let folder: string;
let path: string;
test.before.each(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-mcp-files-'));
  path = join(folder, 'a.json');
});
test.after.each(() => rm(folder, { recursive: true, force: true }));

async function problem(): Promise<string | undefined> {
  const content = await readRegularFile(path);
  return content.kind === 'unusable' ? content.problem : undefined;
}

const notRegular = 'It is not a regular file.';

test('a text comes with what tells its version', async () => {
  await writeFile(path, 'é'.repeat(100_000));
  const content = await readRegularFile(path);
  const stats = await lstat(path, { bigint: true });

  assert.equal(content, {
    kind: 'text',
    text: 'é'.repeat(100_000),
    stamp: stampOf(stats),
    modifiedAt: stats.mtime,
  });
});

test('a byte order mark is part of the text, so that it can be put back', async () => {
  await writeFile(path, '\ufeff{}');
  const content = await readRegularFile(path);

  assert.is(content.kind === 'text' && content.text, '\ufeff{}');
});

test('a missing file is absent, also when its folder is missing', async () => {
  assert.equal(await readRegularFile(path), { kind: 'absent' });
  assert.equal(await readRegularFile(join(folder, 'none', 'a.json')), { kind: 'absent' });
});

test('a link is not followed', async () => {
  await writeFile(join(folder, 'target'), 'x');
  await symlink('target', path);

  assert.is(await problem(), 'It is a link; links are not followed.');
});

test('a pipe is not waited for', async () => {
  execFileSync('mkfifo', [path]);

  assert.is(await problem(), notRegular);
});

test('a folder is a problem', async () => {
  await mkdir(path);

  assert.is(await problem(), notRegular);
});

test('a file may be 4 MiB large and not a byte more', async () => {
  await writeFile(path, '');
  await truncate(path, maxFileBytes);
  assert.is(await problem(), undefined);
  await truncate(path, maxFileBytes + 1);

  assert.is(await problem(), 'The file is larger than 4 MiB.');
});

test('what is not UTF-8 is a problem', async () => {
  await writeFile(path, Buffer.from([0x22, 0xe9, 0x22]));

  assert.is(await problem(), 'The file is not valid UTF-8.');
});

test.run();
