import { mkdir, mkdtemp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { watchFolder } from '../../../lib/files/node-watch-folder.ts';
import { silentLog } from '../../../lib/log.ts';
import { createSwappedFolder } from '../../support/swapped-folder.ts';
import { waitUntil } from '../../support/wait-until.ts';

const test = suite('watching a folder');

let root: string;
let folder: string;
let closers: (() => void)[] = [];
test.before.each(async () => {
  root = await mkdtemp(join(tmpdir(), 'svc-mcp-watch-'));
  folder = join(root, 'watched');
  await mkdir(folder);
});
test.after.each(async () => {
  for (const close of closers) close();
  closers = [];
  await rm(root, { recursive: true, force: true });
});

/** What was reported so far. */
async function watch(rescanEveryMs = 60_000) {
  const seen = { names: new Set<string>(), changes: 0, rescans: 0 };
  const watching = await watchFolder({
    folder,
    onChange: (names) => {
      seen.changes++;
      for (const name of names) seen.names.add(name);
    },
    onRescan: () => {
      seen.rescans++;
    },
    rescanEveryMs,
    log: silentLog,
  });
  closers.push(watching.close);
  return seen;
}

const after = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const withinASecond = { limitMs: 1_000, everyMs: 10 };

test('a rescan is asked for as soon as changes are noticed, so that none falls between', async () => {
  const seen = await watch();
  await writeFile(join(folder, 'a.json'), '');

  assert.is(seen.rescans, 1);
  await waitUntil('the very next change is noticed', () => seen.names.has('a'), withinASecond);
});

test('of changes a moment apart, in place or by rename, the last content is always seen', async () => {
  const path = join(folder, 'a.json');
  await writeFile(path, '');
  let content = '';
  const watching = await watchFolder({
    folder,
    onChange: () => {
      void readFile(path, 'utf8').then((text) => {
        content = text;
      });
    },
    onRescan: () => {},
    log: silentLog,
  });
  closers.push(watching.close);
  const saves = {
    'in place': (text: string) => writeFile(path, text),
    'by rename': async (text: string) => {
      await writeFile(`${path}~`, text);
      await rename(`${path}~`, path);
    },
  };

  for (const [how, save] of Object.entries(saves)) {
    for (const apartMs of [2, 20, 40]) {
      await save('first');
      await after(apartMs);
      const last = `${how}, ${apartMs} ms later`;
      await save(last);
      await waitUntil(last, () => content === last, withinASecond);
    }
  }
});

test('a burst of changes is told once', async () => {
  const seen = await watch();
  for (const name of ['a', 'b', 'c']) await writeFile(join(folder, `${name}.json`), name);
  await waitUntil('all are told', () => seen.names.size === 3, withinASecond);
  await after(60);

  assert.ok(seen.changes <= 2, `${seen.changes} times`);
});

test('hidden files and other endings are not told', async () => {
  const seen = await watch();
  for (const file of ['.a.json', 'a.json~', 'a.json.0123456789ab.tmp', 'notes.md', 'b.json']) {
    await writeFile(join(folder, file), '');
  }
  await waitUntil('the one is told', () => seen.names.size > 0, withinASecond);

  assert.equal([...seen.names], ['b']);
});

test('a folder that is made anew is watched again', async () => {
  const seen = await watch(50);
  await rm(folder, { recursive: true });
  await mkdir(folder);
  await after(150);
  await writeFile(join(folder, 'a.json'), '');

  await waitUntil('it is seen', () => seen.names.has('a'), withinASecond);
});

test('another folder in its place is noticed without waiting for a rescan', async () => {
  const replacements = {
    'made anew': async () => {
      await rm(folder, { recursive: true });
      await mkdir(folder);
    },
    'renamed over': async () => {
      const other = await mkdtemp(join(root, 'other-'));
      await rename(folder, `${other}-before`);
      await rename(other, folder);
    },
    'behind a link': async () => {
      const other = await mkdtemp(join(root, 'other-'));
      await rename(folder, `${other}-before`);
      await symlink(other, folder);
    },
    'behind another link': async () => {
      await symlink(await mkdtemp(join(root, 'other-')), join(root, 'link'));
      await rename(join(root, 'link'), folder);
    },
  };
  const seen = await watch();
  for (const [how, replace] of Object.entries(replacements)) {
    const before = seen.rescans;
    await replace();
    await waitUntil(`a rescan is asked for: ${how}`, () => seen.rescans > before);
    const name = how.replaceAll(' ', '-');
    await writeFile(join(folder, `${name}.json`), '');
    await waitUntil(`it is watched: ${how}`, () => seen.names.has(name));
  }
});

test('another version of all files at once is noticed without waiting for a rescan', async () => {
  const swapped = createSwappedFolder(folder, { 'a.json': '1' });
  const seen = await watch();
  for (const text of ['2', '3', '4']) {
    const before = seen.rescans;
    swapped.swap({ 'a.json': text });
    await waitUntil(`version ${text}`, () => seen.rescans > before, withinASecond);
  }
});

test('a folder that appears later is watched from then on', async () => {
  await rm(folder, { recursive: true });
  const seen = await watch(50);
  await mkdir(folder);
  await after(150);
  await writeFile(join(folder, 'a.json'), '');

  await waitUntil('it is seen', () => seen.names.has('a'), withinASecond);
});

test('nothing is told after closing', async () => {
  const seen = await watch(20);
  for (const close of closers) close();
  const { rescans } = seen;
  await writeFile(join(folder, 'a.json'), '');
  await after(100);

  assert.equal([seen.names.size, seen.rescans], [0, rescans]);
});

test.run();
