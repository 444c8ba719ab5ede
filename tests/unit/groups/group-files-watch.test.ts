import { execFileSync } from 'node:child_process';
import { mkdir, rename, rm, symlink, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { waitUntil } from '../../support/wait-until.ts';
import { createGroupFolder, type GroupFolder } from './group-folder.ts';

const test = suite<{ folder: GroupFolder }>('group files: what people do to them');

test.before.each(async (context) => {
  context.folder = await createGroupFolder();
});
test.after.each((context) => context.folder.close());

const withinASecond = { limitMs: 1000, everyMs: 10 };

/** Watching begins in the background; until then the rescan at its beginning sees everything. */
const watching = () => new Promise((resolve) => setTimeout(resolve, 100));

test('a hand edit takes effect within a second, well before the rescan', async ({ folder }) => {
  const { groups, busMessages } = await folder.open();
  await watching();
  busMessages.length = 0;
  await folder.write('default', { name: 'default', included_tools: ['a__x'] });

  await waitUntil('seen', () => groups.read('default')?.group?.includedTools[0] === 'a__x', withinASecond);
  assert.equal(busMessages.at(-1), { type: 'group', name: 'default' });
});

test('a save by rename, as editors do it, takes effect within a second, again and again', async ({
  folder,
}) => {
  const { groups } = await folder.open();
  await watching();
  for (const tool of ['a__1', 'a__2', 'a__3']) {
    await writeFile(
      `${folder.path('default')}~`,
      JSON.stringify({ name: 'default', included_tools: [tool] }),
    );
    await rename(`${folder.path('default')}~`, folder.path('default'));
    await waitUntil(tool, () => groups.read('default')?.group?.includedTools[0] === tool, withinASecond);
  }
});

test('a new file is a new group, and a removed file is none any more', async ({ folder }) => {
  const { groups } = await folder.open();
  await watching();
  await folder.write('ops', { name: 'ops', included_tools: [] });
  await waitUntil('it is there', () => groups.names().includes('ops'), withinASecond);
  await unlink(folder.path('ops'));
  await waitUntil('it is gone', () => !groups.names().includes('ops'), withinASecond);
});

test('a half-written file keeps the last good version, shows its problem, and heals', async ({ folder }) => {
  const { groups, busMessages } = await folder.open();
  await watching();
  const text = JSON.stringify({ name: 'default', included_tools: ['a__x'] });
  await folder.write('default', text.slice(0, 20));
  await waitUntil('the problem shows', () => groups.read('default')?.problem, withinASecond);

  assert.equal(groups.read('default')?.group?.includedTools, []);
  assert.is(groups.read('default')?.problem, 'The file is not valid JSON.');
  assert.equal(busMessages.at(-1), { type: 'group', name: 'default' });
  await folder.write('default', text);
  await waitUntil('it heals', () => groups.read('default')?.problem === undefined, withinASecond);
  assert.equal(groups.read('default')?.group?.includedTools, ['a__x']);
});

test('a group that was never readable has a problem and no version', async ({ folder }) => {
  await folder.write('bad', 'null');
  const { groups } = await folder.open();

  assert.equal(groups.read('bad'), { group: undefined, problem: 'Expected an object.' });
  assert.equal(groups.names(), ['bad', 'default']);
});

test('a FIFO, a link, a folder and a huge file are problems that stop nobody', async ({ folder }) => {
  execFileSync('mkfifo', [folder.path('fifo')]);
  await symlink('/etc/hostname', folder.path('link'));
  await folder.write('default', { name: 'default', included_tools: [] });
  await symlink(folder.path('default'), folder.path('alias'));
  await mkdir(folder.path('dir'));
  await folder.write('huge', `{"name":"huge","included_tools":[]}${' '.repeat(4_194_304)}`);
  const { groups } = await folder.open();
  const problems = Object.fromEntries(groups.names().map((name) => [name, groups.read(name)?.problem]));

  assert.equal(problems, {
    alias: 'Field `name`: expected the name of the file, without `.json`.',
    default: undefined,
    dir: 'It is not a regular file.',
    fifo: 'It is not a regular file.',
    huge: 'The file is larger than 4 MiB.',
    link: 'It is a link that leads out of its folder; such links are not followed.',
  });
});

test('a FIFO that appears while running does not disturb the watching', async ({ folder }) => {
  const { groups } = await folder.open();
  await watching();
  execFileSync('mkfifo', [folder.path('fifo')]);
  await waitUntil('the FIFO is seen', () => groups.read('fifo')?.problem, withinASecond);
  await folder.write('default', { name: 'default', included_tools: ['a__x'] });

  await waitUntil('seen', () => groups.read('default')?.group?.includedTools[0] === 'a__x', withinASecond);
});

test('a file that is not UTF-8 is a problem', async ({ folder }) => {
  await writeFile(folder.path('latin'), Buffer.from('{"name":"latin","description":"\xe9"}', 'latin1'));
  const { groups } = await folder.open();

  assert.is(groups.read('latin')?.problem, 'The file is not valid UTF-8.');
});

test('a byte order mark is no problem', async ({ folder }) => {
  await folder.write('bom', '\ufeff{"name":"bom","included_tools":[]}');
  const { groups } = await folder.open();

  assert.is(groups.read('bom')?.problem, undefined);
});

test('names are case-exact and other files are no groups', async ({ folder }) => {
  await folder.write('Ops', { name: 'Ops', included_tools: [] });
  for (const file of ['notes.txt', '.hidden.json', 'a b.json', 'ops.json.123.tmp', '__proto__.json']) {
    await writeFile(join(folder.directory, file), '{}');
  }
  const { groups } = await folder.open();

  assert.equal(groups.names(), ['Ops', 'default']);
  assert.is(groups.read('ops'), undefined);
  assert.is(groups.read('__proto__'), undefined);
});

test('news of another process make it read the file, and those of a gap all files', async ({ folder }) => {
  const { groups, bus } = await folder.open({ rescanEveryMs: 3_600_000 });
  await folder.write('default', { name: 'default', included_tools: ['a__x'] });
  bus.deliver({ type: 'group', name: 'default' }, 'remote');
  await waitUntil('seen', () => groups.read('default')?.group?.includedTools.length === 1, withinASecond);
  await folder.write('ops', { name: 'ops', included_tools: [] });
  bus.reportGap();
  await waitUntil('seen', () => groups.names().includes('ops'), withinASecond);
});

test('groups of a folder that was replaced are there without waiting for a rescan', async ({ folder }) => {
  const { groups } = await folder.open({ rescanEveryMs: 3_600_000 });
  const restored = `${folder.directory}-restored`;
  for (const tool of ['a__1', 'a__2']) {
    await mkdir(restored);
    const group = JSON.stringify({ name: 'default', included_tools: [tool] });
    await writeFile(join(restored, 'default.json'), group);
    await rm(folder.directory, { recursive: true });
    await rename(restored, folder.directory);
    await waitUntil(tool, () => groups.read('default')?.group?.includedTools[0] === tool);
    await folder.write('default', { name: 'default', included_tools: ['a__edited'] });
    await waitUntil(
      'edits of it are seen',
      () => groups.read('default')?.group?.includedTools[0] === 'a__edited',
    );
  }
});

test('a folder that is taken away takes no group away, and is used again when it is back', async ({
  folder,
}) => {
  const { groups } = await folder.open({ rescanEveryMs: 50 });
  await rename(folder.directory, `${folder.directory}-away`);
  await waitUntil('the problem shows', () => groups.read('default')?.problem, withinASecond);

  assert.match(groups.read('default')?.problem ?? '', 'GROUPS_DIR');
  assert.ok(groups.read('default')?.group);
  await rm(folder.directory, { recursive: true, force: true });
  await rename(`${folder.directory}-away`, folder.directory);
  await waitUntil('it heals', () => groups.read('default')?.problem === undefined, withinASecond);
});

test('a folder that is taken away while it is read takes no group away', async ({ folder }) => {
  const { groups, bus } = await folder.open({ rescanEveryMs: 1 });
  let timesGone = 0;
  bus.subscribe(() => {
    if (groups.read('default')?.group === undefined) timesGone++;
  });
  for (let at = 0; at < 100; at++) {
    await rename(folder.directory, `${folder.directory}-away`);
    await rename(`${folder.directory}-away`, folder.directory);
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 3));
  }

  assert.is(timesGone, 0);
});

test.run();
