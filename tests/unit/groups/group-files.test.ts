import { chmod, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Failure } from '../../../lib/failure.ts';
import { createGroupFolder, flip, type GroupFolder } from './group-folder.ts';

const test = suite<{ folder: GroupFolder }>('group files: writing');

test.before.each(async (context) => {
  context.folder = await createGroupFolder();
});
test.after.each((context) => context.folder.close());

async function codeOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => new Error('it did not fail'),
    (reason) => reason,
  );
  return error instanceof Failure ? error.code : String(error);
}

test('an absent default group is created empty', async ({ folder }) => {
  const { groups } = await folder.open();

  assert.equal(await folder.json('default'), {
    name: 'default',
    description: 'Default group',
    included_tools: [],
  });
  assert.equal(groups.names(), ['default']);
  assert.ok(groups.isLoaded());
});

test('a folder that is missing is created', async ({ folder }) => {
  const { groups } = await folder.open({ directory: join(folder.directory, 'deep', 'down') });

  assert.equal(groups.names(), ['default']);
});

test('a default group that is deleted later stays deleted', async ({ folder }) => {
  const { groups } = await folder.open({ rescanEveryMs: 40 });
  await folder.write('other', { name: 'other', included_tools: [] });
  await import('node:fs/promises').then(({ unlink }) => unlink(folder.path('default')));
  await new Promise((resolve) => setTimeout(resolve, 200));

  assert.equal(groups.names(), ['other']);
});

test('creates a group, whole and readable', async ({ folder }) => {
  const { groups, busMessages } = await folder.open();
  const group = await groups.create('ops', { description: 'For ops', tools: ['a__x', 'a__x', 'b__y'] });

  assert.equal(group.includedTools, ['a__x', 'b__y']);
  assert.is(
    await folder.text('ops'),
    '{\n  "name": "ops",\n  "description": "For ops",\n  "included_tools": [\n    "a__x",\n    "b__y"\n  ]\n}\n',
  );
  assert.equal(busMessages.at(-1), { type: 'group', name: 'ops' });
});

test('refuses to create what exists, in whatever state its file is', async ({ folder }) => {
  const { groups } = await folder.open();
  await folder.write('broken', '{');
  await symlink('/nowhere', folder.path('link'));

  assert.is(await codeOf(groups.create('default', {})), 'conflict');
  assert.is(await codeOf(groups.create('broken', {})), 'conflict');
  assert.is(await codeOf(groups.create('link', {})), 'conflict');
  assert.is(await folder.text('broken'), '{');
});

test('refuses names that are no group names', async ({ folder }) => {
  const { groups } = await folder.open();

  for (const name of ['', '.', '..', '../up', 'a/b', '.hidden', 'a..b', 'x'.repeat(65), 'nul\0']) {
    assert.is(await codeOf(groups.create(name, {})), 'invalid_params');
    assert.is(await codeOf(groups.change(name, flip('a__x'))), 'group_not_found');
    assert.is(await codeOf(groups.remove(name)), 'group_not_found');
  }
  assert.equal(await folder.files(), ['default.json']);
});

test('a change is in the file, in memory and in the news when it is acknowledged', async ({ folder }) => {
  const { groups, busMessages } = await folder.open();
  busMessages.length = 0;
  const group = await groups.change('default', flip('a__x'));

  assert.equal((await folder.json('default')).included_tools, ['a__x']);
  assert.equal(groups.read('default')?.group?.includedTools, ['a__x']);
  assert.is(groups.read('default')?.group?.etag, group.etag);
  assert.equal(busMessages, [{ type: 'group', name: 'default' }]);
});

test('the etag after a write is the one that reading the file gives', async ({ folder }) => {
  const { groups } = await folder.open();
  const { etag } = await groups.change('default', flip('a__x'));
  const second = await folder.open();

  assert.is(second.groups.read('default')?.group?.etag, etag);
});

test('unknown fields, their order and the mode of the file survive a change', async ({ folder }) => {
  await folder.write('ops', {
    x_owner: 'team',
    included_tools: [],
    name: 'ops',
    __proto: 1,
    x_n: { a: [1, null] },
  });
  await chmod(folder.path('ops'), 0o640);
  const { groups } = await folder.open();
  await groups.change('ops', flip('a__x'));

  assert.equal(Object.entries(await folder.json('ops')), [
    ['x_owner', 'team'],
    ['included_tools', ['a__x']],
    ['name', 'ops'],
    ['__proto', 1],
    ['x_n', { a: [1, null] }],
  ]);
  assert.is((await stat(folder.path('ops'))).mode & 0o777, 0o640);
});

test('a change that changes nothing does not touch the file', async ({ folder }) => {
  const { groups } = await folder.open();
  const before = await stat(folder.path('default'), { bigint: true });
  await groups.change('default', (group) => group);

  assert.is((await stat(folder.path('default'), { bigint: true })).ino, before.ino);
});

test('a group with a problem is not written', async ({ folder }) => {
  const { groups } = await folder.open();
  await folder.write('default', '{"name":');

  assert.is(await codeOf(groups.change('default', flip('a__x'))), 'group_unreadable');
  assert.is(await folder.text('default'), '{"name":');
});

test('a change that would make the file unusable is refused', async ({ folder }) => {
  const content = { name: 'ops', included_tools: ['a__x'], exposed_names: { a__x: 'read', b__x: 'read' } };
  await folder.write('ops', content);
  const { groups } = await folder.open();

  assert.is(await codeOf(groups.change('ops', flip('b__x'))), 'conflict');
  assert.equal(await folder.json('ops'), content);
});

test('what an edit throws reaches its caller and nobody else', async ({ folder }) => {
  const { groups } = await folder.open();
  const failing = groups.change('default', () => {
    throw new Failure('tool_not_found', 'No.');
  });
  const working = groups.change('default', flip('a__x'));

  assert.is(await codeOf(failing), 'tool_not_found');
  assert.equal((await working).includedTools, ['a__x']);
});

test('removes a group, but not the default group', async ({ folder }) => {
  const { groups, busMessages } = await folder.open();
  await groups.create('ops', {});
  await groups.remove('ops');

  assert.equal(await folder.files(), ['default.json']);
  assert.is(groups.read('ops'), undefined);
  assert.equal(busMessages.at(-1), { type: 'group', name: 'ops' });
  assert.is(await codeOf(groups.remove('ops')), 'group_not_found');
  assert.is(await codeOf(groups.remove('default')), 'conflict');
});

test('temporary files of a crash are removed at boot, files of people are not', async ({ folder }) => {
  for (const name of [
    'default.json.0123456789ab.tmp',
    'ops.json.abcdef012345.tmp',
    'ops.json.bak',
    'notes.tmp',
    '.x.swp',
  ]) {
    await writeFile(join(folder.directory, name), '{');
  }
  await folder.open();
  await new Promise((resolve) => setTimeout(resolve, 50));

  assert.equal(await folder.files(), ['.x.swp', 'default.json', 'notes.tmp', 'ops.json.bak']);
});

test.run();
