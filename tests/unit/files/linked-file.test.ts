import { execFileSync } from 'node:child_process';
import {
  mkdir,
  mkdtemp,
  open,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  unlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  isSameFile,
  readFolderFile,
  readNamedFile,
  readRealPath,
} from '../../../lib/files/node-linked-file.ts';
import { stampOf } from '../../../lib/files/node-regular-file.ts';
import { createSwappedFolder } from '../../support/swapped-folder.ts';

const test = suite('reading files that are links');

let root: string;
let folder: string;
let path: string;
test.before.each(async () => {
  root = await mkdtemp(join(tmpdir(), 'svc-mcp-links-'));
  folder = join(root, 'folder');
  path = join(folder, 'a.json');
  await mkdir(folder);
});
test.after.each(() => rm(root, { recursive: true, force: true }));

async function textOf(file: string): Promise<string> {
  const content = await readFolderFile(file);
  return content.kind === 'unusable' ? content.problem : content.kind === 'text' ? content.text : 'absent';
}

const outside = 'It is a link that leads out of its folder; such links are not followed.';

test('a file that is none is read as before', async () => {
  await writeFile(path, 'own');
  const content = await readFolderFile(path);

  assert.equal(content.kind === 'text' && [content.text, content.isLink], ['own', false]);
  assert.is(await textOf(join(folder, 'none.json')), 'absent');
});

test('a link to a file of its folder is read, and told', async () => {
  await mkdir(join(folder, 'kept'));
  await writeFile(join(folder, 'kept/a'), 'linked');
  await symlink('kept/a', path);
  const content = await readFolderFile(path);
  const stats = await stat(path, { bigint: true });

  assert.equal(content, {
    kind: 'text',
    text: 'linked',
    stamp: stampOf(stats),
    modifiedAt: stats.mtime,
    isLink: true,
  });
});

test('a chain of links is followed while its end lies within', async () => {
  await writeFile(join(folder, 'end'), 'the end');
  await symlink('end', join(folder, 'middle'));
  await symlink(join(folder, 'middle'), path);

  assert.is(await textOf(path), 'the end');
});

test('the folder itself may be behind a link', async () => {
  await writeFile(join(folder, 'end'), 'the end');
  await symlink('end', path);
  await symlink(folder, join(root, 'other'));

  assert.is(await textOf(join(root, 'other/a.json')), 'the end');
});

test('a link that leads out of its folder is refused, however it does', async () => {
  await writeFile(join(root, 'secret'), 'secret');
  await mkdir(join(root, 'folder-beside'));
  await writeFile(join(root, 'folder-beside/a'), 'secret');
  await symlink('..', join(folder, 'up'));
  await writeFile(join(folder, 'inside'), 'inside');
  await symlink('../secret', join(folder, 'way-out'));
  for (const target of [
    join(root, 'secret'),
    '../secret',
    'up/secret',
    'way-out',
    '../folder-beside/a',
    '/dev/zero',
    '/proc/self/environ',
  ]) {
    await symlink(target, path);
    assert.is(await textOf(path), outside, target);
    await unlink(path);
  }
});

test('a link that leads nowhere, in a circle, to a folder, a pipe or too much says so', async () => {
  await mkdir(join(folder, 'dir'));
  execFileSync('mkfifo', [join(folder, 'pipe')]);
  await writeFile(join(folder, 'huge'), '');
  await truncate(join(folder, 'huge'), 5 * 1024 * 1024);
  await symlink('b.json', join(folder, 'c.json'));
  await symlink('c.json', join(folder, 'b.json'));
  const problems = {
    nowhere: 'It is a link to a file that does not exist.',
    'c.json': 'It is a link that leads in a circle.',
    dir: 'It is not a regular file.',
    pipe: 'It is not a regular file.',
    huge: 'The file is larger than 4 MiB.',
  };
  for (const [target, problem] of Object.entries(problems)) {
    await symlink(target, path);
    assert.is(await textOf(path), problem, target);
    await unlink(path);
  }
});

test('while versions are exchanged each reading is one of them, whole', async () => {
  const textOfVersion = (version: number) => `${version},`.repeat(20_000);
  const swapped = createSwappedFolder(folder, { 'a.json': textOfVersion(0) });
  const seen: string[] = [];
  let isDone = false;
  const reading = (async () => {
    while (!isDone) seen.push(await textOf(path));
  })();
  for (let version = 1; version <= 200; version++) {
    swapped.swap({ 'a.json': textOfVersion(version) });
    await new Promise((resolve) => setTimeout(resolve, version % 3));
  }
  isDone = true;
  await reading;
  const versions = seen.map((text) => Number.parseInt(text, 10));

  assert.equal(
    seen
      .filter((text, at) => text !== textOfVersion(versions[at] ?? Number.NaN))
      .map((text) => text.slice(0, 80)),
    [],
  );
  assert.equal(
    versions,
    [...versions].sort((one, other) => one - other),
  );
  assert.ok(new Set(versions).size > 20, `${new Set(versions).size} versions`);
});

test('a folder on the way that is exchanged for a link to outside lets nothing out', async () => {
  await mkdir(join(root, 'private'));
  await writeFile(join(root, 'private/a'), 'secret');
  await mkdir(join(folder, 'kept'));
  await writeFile(join(folder, 'kept/a'), 'inside');
  const resolved = await realpath(join(folder, 'kept/a'));
  assert.is((await readRealPath(resolved)).kind, 'text');

  await rename(join(folder, 'kept'), join(folder, 'away'));
  await symlink(join(root, 'private'), join(folder, 'kept'));

  assert.equal(await readRealPath(resolved), { kind: 'absent' });
});

test('where the system does not say where an opened file lies, the file at the path must be the same', async () => {
  await mkdir(join(folder, 'kept'));
  const file = join(await realpath(folder), 'kept/a');
  await writeFile(file, 'inside');
  const opened = await open(file);
  const answers = [await isSameFile(opened, file)];
  await rename(join(folder, 'kept'), join(root, 'away'));
  await symlink(join(root, 'away'), join(folder, 'kept'));
  answers.push(await isSameFile(opened, file));
  await unlink(join(folder, 'kept'));
  await mkdir(join(folder, 'kept'));
  await writeFile(file, 'inside');
  answers.push(await isSameFile(opened, file));
  await opened.close();

  assert.equal(answers, [true, false, false]);
});

test('a file that the operator named may be behind a link to anywhere', async () => {
  await writeFile(join(root, 'real'), 'real');
  await symlink(join(root, 'real'), path);
  const { content, path: target, isSwapped } = await readNamedFile(path);

  assert.is(content.kind === 'text' && content.text, 'real');
  assert.equal([target.endsWith('/real'), isSwapped], [true, false]);
});

test('a file in a volume that is exchanged is told from other links', async () => {
  createSwappedFolder(folder, { 'a.json': 'kept elsewhere' });
  const { content, isSwapped } = await readNamedFile(path);

  assert.is(content.kind === 'text' && content.text, 'kept elsewhere');
  assert.ok(isSwapped);
});

test.run();
