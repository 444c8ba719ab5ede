import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createGroupRequests } from '../../../static/groups/group-requests.js';
import { createPage } from '../../../static/state/page.js';
import { createSaving } from '../../../static/state/saving.js';
import { createMemoryManager } from './memory-manager.ts';

const test = suite('groups on the dashboard');

async function open(groups: Record<string, string[]>, preferredGroup?: string) {
  const manager = createMemoryManager(groups);
  const page = createPage({ api: manager.api, preferredGroup, noticeMs: 100 });
  await page.refresh('groups', 'servers', 'group');
  return {
    manager,
    page,
    requests: createGroupRequests(page),
    saving: createSaving(page),
    state: page.store.get,
  };
}

test('a new group is a copy of what is saved, or empty, and is shown', async () => {
  const { manager, requests, saving, state } = await open({ main: ['a', 'b'] });
  saving.tick(['c'], true);

  await requests.create({ name: 'copy', description: '', isCopy: true });
  await requests.create({ name: 'empty', description: '', isCopy: false });

  assert.equal(manager.toolsOf('copy'), ['a', 'b']);
  assert.equal(manager.toolsOf('empty'), []);
  assert.is(state().group, 'empty');
  assert.equal(state().groups?.names, ['main', 'copy', 'empty']);
});

test('a renamed group is shown under its new name, with the ticks that were not saved', async () => {
  const { manager, page, requests, saving, state } = await open({ main: [], team: ['a'] }, 'team');
  saving.tick(['c'], true);
  manager.slowDownWrites(20);

  const renaming = requests.rename('crew', state().saved?.etag);
  // News of the file that is gone may come before the answer does.
  await page.refresh('group');
  await renaming;

  assert.is(state().group, 'crew');
  assert.equal(state().saved?.tools, ['a']);
  assert.equal([...state().draft], [['c', true]]);
  assert.equal(state().groups?.names, ['main', 'crew']);
  assert.equal(
    state().notices.map(({ kind }) => kind),
    ['good'],
  );
  await saving.save();
  assert.equal(manager.toolsOf('crew'), ['a', 'c']);
});

test('a group that changed since it was looked at is not renamed, and stays shown', async () => {
  const { manager, requests, state } = await open({ main: [], team: ['a'] }, 'team');
  manager.write('team', ['a', 'b']);

  const failure = await requests.rename('crew', '1').catch((error) => error);

  assert.is(failure.code, 'group_changed');
  assert.equal([state().group, state().saving], ['team', false]);
});

test('a copy leaves out what no server offers any more', async () => {
  const { manager, requests } = await open({ main: ['gone', 'a'] });
  await requests.create({ name: 'copy', description: '', isCopy: true });
  assert.equal(manager.toolsOf('copy'), ['a']);
});

test('whoever deletes a group is shown the default one, and told once', async () => {
  const { manager, page, requests, state } = await open({ main: ['a'], other: ['b'] }, 'other');
  manager.slowDown(60);
  const removal = requests.remove();
  // The news of it are here before the answer is.
  await page.refresh('groups');
  await removal;

  assert.is(state().group, 'main');
  assert.equal(state().saved?.tools, ['a']);
  assert.equal(
    state().notices.map(({ kind }) => kind),
    ['good'],
  );
});

test('unsaved ticks of a group that is deleted do not hold anybody back', async () => {
  const { requests, saving, state } = await open({ main: ['a'], other: ['b'] }, 'other');
  saving.tick(['c'], true);

  await requests.remove();

  assert.is(state().draft.size, 0);
  assert.equal(state().kept, {});
});

test('a deletion that is refused leaves the group in sight', async () => {
  const { manager, requests, state } = await open({ main: ['a'], other: ['b'] }, 'other');
  manager.failWith('conflict');

  const failure = await requests.remove().catch((error: Error) => error);

  assert.instance(failure, Error);
  assert.is(state().group, 'other');
  assert.is(state().saving, false);
});

test.run();
