import { existsSync } from 'node:fs';
import { chmod, stat, writeFile } from 'node:fs/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Failure } from '../../../lib/failure.ts';
import { removeUnchanged, replaceFile } from '../../../lib/files/node-durable-file.ts';
import { createGroupFolder, flip, type GroupFolder } from './group-folder.ts';

const test = suite<{ folder: GroupFolder }>('group files: another name');
const nothing = async () => {};

test.before.each(async (context) => {
  context.folder = await createGroupFolder();
});
test.after.each((context) => context.folder.close());

async function codeOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => undefined,
    (reason) => reason,
  );
  if (!(error instanceof Failure)) throw new Error('It did not fail on purpose.', { cause: error });
  return error.code;
}

test('the whole file stands under the new name, fields we do not know and its mode included', async ({
  folder,
}) => {
  await folder.write('team', {
    name: 'team',
    included_tools: ['a__x'],
    exposed_names: { a__x: 'x' },
    mine: [1],
  });
  await chmod(folder.path('team'), 0o600);
  const { groups, busMessages } = await folder.open();

  const renamed = await groups.rename('team', 'crew', nothing);

  assert.equal(await folder.files(), ['crew.json', 'default.json']);
  assert.equal(await folder.json('crew'), {
    ...{ name: 'crew', included_tools: ['a__x'], exposed_names: { a__x: 'x' }, mine: [1] },
    former_names: ['team'],
  });
  assert.is((await stat(folder.path('crew'))).mode & 0o777, 0o600);
  assert.is(groups.read('crew')?.group?.etag, renamed.etag);
  assert.is(groups.read('team'), undefined);
  const told = busMessages.map(({ name }) => name);
  assert.ok(told.indexOf('crew') < told.lastIndexOf('team'), `${told}`);
});

test('at each moment one of the two can be read', async ({ folder }) => {
  await folder.write('team', { name: 'team', included_tools: ['a__x'] });
  const { groups } = await folder.open();
  let running = true;
  const looks: boolean[] = [];
  const look = async () => {
    while (running) {
      looks.push(groups.read('team')?.group !== undefined || groups.read('crew')?.group !== undefined);
      looks.push(existsSync(folder.path('team')) || existsSync(folder.path('crew')));
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const looking = look();
  for (let turn = 0; turn < 20; turn++) {
    await groups.rename('team', 'crew', nothing);
    await groups.rename('crew', 'team', nothing);
  }
  running = false;
  await looking;

  assert.ok(looks.length > 10);
  assert.not(looks.includes(false));
});

test('former names are remembered over several renames, and lead to the present one only', async ({
  folder,
}) => {
  await folder.write('one', { name: 'one', included_tools: [] });
  const { groups } = await folder.open();
  await groups.rename('one', 'two', nothing);
  await groups.rename('two', 'three', nothing);
  const known = ['one', 'two', 'three', 'never'].map(groups.renamedTo);
  await groups.rename('three', 'one', nothing);

  assert.equal(known, ['three', 'three', undefined, undefined]);
  assert.equal((await folder.json('one')).former_names, ['three', 'two']);
});

test('a hand-written field of former names that is none does no harm', async ({ folder }) => {
  await folder.write('team', { name: 'team', included_tools: [], former_names: { team: 1 } });
  const { groups } = await folder.open();

  assert.is(groups.renamedTo('x'), undefined);
  await groups.rename('team', 'crew', nothing);
  assert.equal((await folder.json('crew')).former_names, ['team']);
});

test('what cannot be renamed says why, and everything stays', async ({ folder }) => {
  await folder.write('team', { name: 'team', included_tools: [] });
  await folder.write('taken', { name: 'taken', included_tools: ['a__x'] });
  await folder.write('broken', '{');
  const { groups } = await folder.open();
  const before = await Promise.all((await folder.files()).map((file) => folder.text(file.slice(0, -5))));

  assert.is(await codeOf(groups.rename('team', 'taken', nothing)), 'conflict');
  assert.is(await codeOf(groups.rename('team', 'broken', nothing)), 'conflict');
  assert.is(await codeOf(groups.rename('team', 'team', nothing)), 'conflict');
  assert.is(await codeOf(groups.rename('default', 'other', nothing)), 'conflict');
  assert.is(await codeOf(groups.rename('broken', 'whole', nothing)), 'group_unreadable');
  assert.is(await codeOf(groups.rename('nosuch', 'other', nothing)), 'group_not_found');
  for (const bad of ['', '../up', 'a/b', 'a..b', '-a', 'x'.repeat(65), 'a b']) {
    assert.is(await codeOf(groups.rename('team', bad, nothing)), 'invalid_params', bad);
  }
  const refusing = () => Promise.reject(new Failure('group_changed', 'no'));
  assert.is(await codeOf(groups.rename('team', 'crew', refusing)), 'group_changed');
  assert.equal(
    await Promise.all((await folder.files()).map((file) => folder.text(file.slice(0, -5)))),
    before,
  );
});

test("a person's save in the middle is not lost: the rename takes it along", async ({ folder }) => {
  await folder.write('team', { name: 'team', included_tools: ['a__x'] });
  let saves = 0;
  const replace: typeof replaceFile = async (path, ...rest) => {
    const modifiedAt = await replaceFile(path, ...rest);
    if (path.endsWith('crew.json') && saves++ === 0) {
      await writeFile(
        folder.path('team'),
        JSON.stringify({ name: 'team', included_tools: ['a__y', 'a__z'] }),
      );
    }
    return modifiedAt;
  };
  const { groups } = await folder.open({ replace });

  await groups.rename('team', 'crew', nothing);

  assert.equal(await folder.files(), ['crew.json', 'default.json']);
  assert.equal((await folder.json('crew')).included_tools, ['a__y', 'a__z']);
});

test('a disk that refuses leaves the group under its old name', async ({ folder }) => {
  await folder.write('team', { name: 'team', included_tools: ['a__x'] });
  const replace: typeof replaceFile = async (path, ...rest) => {
    if (path.endsWith('crew.json')) throw Object.assign(new Error('full'), { code: 'ENOSPC' });
    return await replaceFile(path, ...rest);
  };
  const { groups } = await folder.open({ replace });

  assert.is(await codeOf(groups.rename('team', 'crew', nothing)), 'storage_failed');
  assert.equal(await folder.files(), ['default.json', 'team.json']);
  assert.equal(groups.read('team')?.group?.includedTools, ['a__x']);
});

test('a disk that fails behind the removal of the old file does not cost the group', async ({ folder }) => {
  await folder.write('team', { name: 'team', included_tools: ['a__x'] });
  const removeRenamed: typeof removeUnchanged = async (...file) => {
    await removeUnchanged(...file);
    throw Object.assign(new Error('no sync of the folder'), { code: 'EIO' });
  };
  const { groups } = await folder.open({ removeRenamed });

  assert.is(await codeOf(groups.rename('team', 'crew', nothing)), 'storage_failed');
  assert.equal(await folder.files(), ['crew.json', 'default.json']);
  assert.equal(groups.read('crew')?.group?.includedTools, ['a__x']);
});

test('edits and renames there and back at once end, and lose no edit that was acknowledged', async ({
  folder,
}) => {
  await folder.write('team', { name: 'team', included_tools: [] });
  await folder.write('crew2', { name: 'crew2', included_tools: [] });
  const one = await folder.open();
  const other = await folder.open();
  const kept: string[] = [];
  const edit = async (at: number) => {
    const { groups } = at % 2 ? one : other;
    for (const name of ['team', 'crew']) {
      const isDone = await groups.change(name, flip(`a__${at}`)).then(
        () => true,
        () => false,
      );
      if (isDone) return void kept.push(`a__${at}`);
    }
  };
  const turns = Array.from({ length: 40 }, (_, at) => at);
  await Promise.all([
    ...turns.map(edit),
    one.groups.rename('team', 'crew', nothing),
    other.groups.rename('crew2', 'team2', nothing),
    one.groups.rename('crew', 'team', nothing).catch(() => {}),
  ]);

  const name = (await folder.files()).includes('team.json') ? 'team' : 'crew';
  assert.equal(((await folder.json(name)).included_tools as string[]).sort(), kept.sort());
});

test.run();
