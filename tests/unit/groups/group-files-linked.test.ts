import { lstat, readFile, symlink, unlink } from 'node:fs/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Failure } from '../../../lib/failure.ts';
import { mountReadOnly } from '../../support/read-only-mount.ts';
import { createRecordingLog } from '../../support/recording-log.ts';
import { createSwappedFolder } from '../../support/swapped-folder.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { createGroupFolder, flip, type GroupFolder } from './group-folder.ts';

const test = suite<{ folder: GroupFolder }>('group files that are kept elsewhere');

test.before.each(async (context) => {
  context.folder = await createGroupFolder();
});
test.after.each((context) => context.folder.close());

const withinASecond = { limitMs: 1000, everyMs: 5 };

const fileOf = (name: string, ...tools: string[]) => JSON.stringify({ name, included_tools: tools });

async function failureOf(work: Promise<unknown>): Promise<Failure> {
  const error = await work.then(
    () => undefined,
    (reason) => reason,
  );
  if (!(error instanceof Failure)) throw new Error('It did not fail on purpose.', { cause: error });
  return error;
}

/** As a refusal tells it. */
async function refusalOf(work: Promise<unknown>) {
  const { code, status, message, details } = await failureOf(work);
  return { code, status, message, details };
}

test('a group that is a link is served, and says that it is read-only', async ({ folder }) => {
  createSwappedFolder(folder.directory, { 'default.json': fileOf('default', 'a__1') });
  const { groups } = await folder.open();
  const { group, problem } = groups.read('default') ?? {};

  assert.equal([group?.includedTools, group?.isReadOnly, problem], [['a__1'], true, undefined]);
});

test('all groups of a folder get their next version at once, within a second', async ({ folder }) => {
  const names = ['default', 'ops', 'web'];
  const versionOf = (at: number) =>
    Object.fromEntries(names.map((name) => [`${name}.json`, fileOf(name, `a__${at}`)]));
  const swapped = createSwappedFolder(folder.directory, versionOf(0));
  const { groups } = await folder.open({ rescanEveryMs: 3_600_000 });
  const shown = () => names.map((name) => groups.read(name)?.group?.includedTools[0]);
  const seen = new Set<string>();
  const looking = setInterval(() => seen.add(shown().join(' ')), 0);
  for (let at = 1; at <= 10; at++) {
    swapped.swap(versionOf(at));
    await waitUntil(`version ${at}`, () => shown().every((tool) => tool === `a__${at}`), withinASecond);
  }
  clearInterval(looking);

  for (const together of seen) assert.is(new Set(together.split(' ')).size, 1, together);
});

test('a group comes and goes with a version of the folder, and none is broken meanwhile', async ({
  folder,
}) => {
  const withOps = { 'default.json': fileOf('default'), 'ops.json': fileOf('ops') };
  const { log, logged } = createRecordingLog();
  const swapped = createSwappedFolder(folder.directory, withOps);
  const { groups } = await folder.open({ log });
  for (let at = 0; at < 5; at++) {
    swapped.swap({ 'default.json': fileOf('default') });
    await waitUntil('it is gone', () => !groups.names().includes('ops'), withinASecond);
    swapped.swap(withOps);
    await waitUntil('it is back', () => groups.names().includes('ops'), withinASecond);
  }

  assert.equal(
    logged.filter(({ level }) => level !== 'info'),
    [],
  );
});

test('a change is refused with the whole file as it would read after it, and nothing is written', async ({
  folder,
}) => {
  const text = fileOf('default', 'a__1');
  createSwappedFolder(folder.directory, { 'default.json': text });
  const { groups } = await folder.open();
  const before = await folder.files();
  const refused = await Promise.all(
    ['a__2', 'a__3'].map((tool) => refusalOf(groups.change('default', flip(tool)))),
  );

  assert.equal(
    refused,
    ['a__2', 'a__3'].map((tool) => ({
      code: 'group_read_only',
      status: 409,
      message:
        'The file of group `default` is managed elsewhere: put `default.json` there with the text given here.',
      details: {
        file: 'default.json',
        text: `${JSON.stringify({ name: 'default', included_tools: ['a__1', tool] }, null, 2)}\n`,
      },
    })),
  );
  assert.equal(await folder.files(), before);
  assert.is(await folder.text('default'), text);
  assert.ok((await lstat(folder.path('default'))).isSymbolicLink());
});

test('a change that changes nothing is none to refuse, and a wrong one is told as ever', async ({
  folder,
}) => {
  createSwappedFolder(folder.directory, { 'default.json': fileOf('default', 'a__1') });
  const { groups } = await folder.open();

  assert.equal((await groups.change('default', (group) => group)).includedTools, ['a__1']);
  const failure = await failureOf(
    groups.change('default', () => {
      throw new Failure('group_changed', 'It changed.');
    }),
  );
  assert.is(failure.code, 'group_changed');
});

test('what was refused takes effect once it is put there', async ({ folder }) => {
  const swapped = createSwappedFolder(folder.directory, { 'default.json': fileOf('default') });
  const { groups } = await folder.open();
  const { details } = await failureOf(groups.change('default', flip('a__1')));

  swapped.swap({ [String(details?.file)]: String(details?.text) });

  await waitUntil(
    'it is there',
    () => groups.read('default')?.group?.includedTools[0] === 'a__1',
    withinASecond,
  );
});

test('a delete and a rename say what to do, and leave the link', async ({ folder }) => {
  createSwappedFolder(folder.directory, { 'default.json': fileOf('default'), 'ops.json': fileOf('ops') });
  const { groups } = await folder.open();
  const removed = await refusalOf(groups.remove('ops'));
  const renamed = await refusalOf(
    groups.rename('ops', 'team', () => Promise.reject(new Error('Not asked.'))),
  );

  assert.equal(removed, {
    code: 'group_read_only',
    status: 409,
    message: 'The file of group `ops` is managed elsewhere: delete `ops.json` there.',
    details: { file: 'ops.json' },
  });
  assert.equal(
    [renamed.code, renamed.message, renamed.details],
    [
      'group_read_only',
      'The file of group `ops` is managed elsewhere: put `team.json` there with the text given here, and delete `ops.json`.',
      {
        file: 'team.json',
        text: `${JSON.stringify({ name: 'team', included_tools: [], former_names: ['ops'] }, null, 2)}\n`,
        replaces: 'ops.json',
      },
    ],
  );
  assert.equal(groups.names(), ['default', 'ops']);
  assert.ok((await lstat(folder.path('ops'))).isSymbolicLink());
});

test('groups of our own beside links are written as ever', async ({ folder }) => {
  createSwappedFolder(folder.directory, { 'ops.json': fileOf('ops') });
  const { groups } = await folder.open();
  await groups.create('own', {});
  await groups.change('own', flip('a__1'));

  assert.equal((await folder.json('own')).included_tools, ['a__1']);
  assert.equal(groups.names(), ['default', 'ops', 'own']);
});

test('a link that leads out of the folder is a problem, and can be deleted', async ({ folder }) => {
  await symlink('/etc/hostname', folder.path('out'));
  const { groups } = await folder.open();
  assert.match(groups.read('out')?.problem ?? '', 'leads out of its folder');
  await groups.remove('out');

  assert.not(groups.names().includes('out'));
  assert.ok(await readFile('/etc/hostname', 'utf8'));
});

test('a link that leads nowhere is a problem that stops nobody', async ({ folder }) => {
  await symlink('nothing', folder.path('lost'));
  const { groups } = await folder.open();

  assert.is(groups.read('lost')?.problem, 'It is a link to a file that does not exist.');
  assert.is(groups.read('default')?.problem, undefined);
});

test('a folder that is mounted read-only is served, and every change is refused with its text', async ({
  folder,
}) => {
  await folder.write('ops', { name: 'ops', included_tools: ['a__1'] });
  const unmount = mountReadOnly(folder.directory);
  if (unmount === undefined) return;
  try {
    const { log, logged } = createRecordingLog();
    const { groups } = await folder.open({ log, rescanEveryMs: 20 });
    assert.equal(groups.names(), ['ops']);
    const refused = [
      await refusalOf(groups.change('ops', flip('a__2'))),
      await refusalOf(groups.create('new', { tools: ['a__1'] })),
      await refusalOf(groups.remove('ops')),
      await refusalOf(groups.rename('ops', 'team', async () => {})),
    ];
    await new Promise((resolve) => setTimeout(resolve, 100));

    assert.equal(
      refused.map(({ code, details }) => [code, details?.file, typeof details?.text]),
      [
        ['group_read_only', 'ops.json', 'string'],
        ['group_read_only', 'new.json', 'string'],
        ['group_read_only', 'ops.json', 'undefined'],
        ['group_read_only', 'team.json', 'string'],
      ],
    );
    assert.equal(groups.names(), ['ops']);
    assert.equal(await folder.files(), ['ops.json']);
    // The absent default group is told once.
    const warnings = logged.filter(({ level }) => level === 'warn').map(({ message }) => message);
    assert.is(warnings.length, 1, warnings.join('\n'));
    assert.match(warnings[0] ?? '', 'the default group is absent, and the groups folder is read-only');
  } finally {
    unmount();
  }
});

test('a groups folder behind a link is written as ever', async ({ folder }) => {
  const link = `${folder.directory}-link`;
  await symlink(folder.directory, link);
  const { groups } = await folder.open({ directory: link });
  await groups.change('default', flip('a__1'));
  await unlink(link);

  assert.equal((await folder.json('default')).included_tools, ['a__1']);
});

test.run();
