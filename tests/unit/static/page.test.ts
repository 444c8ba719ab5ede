import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createPage } from '../../../static/state/page.js';
import { createSaving } from '../../../static/state/saving.js';
import { createMemoryManager } from './memory-manager.ts';

const test = suite('what the dashboard knows');

async function open(groups: Record<string, string[]>, preferredGroup?: string) {
  const manager = createMemoryManager(groups);
  const page = createPage({ api: manager.api, preferredGroup, noticeMs: 500 });
  await page.refresh('groups', 'servers', 'group');
  return { manager, page, saving: createSaving(page), state: page.store.get };
}

test('it shows the default group until another is chosen', async () => {
  const { page, state } = await open({ main: ['a'], other: ['b'] });
  assert.is(state().group, 'main');

  await page.show('other');

  assert.is(state().group, 'other');
  assert.equal(state().saved?.tools, ['b']);
});

test('a burst of news is one round of fetching', async () => {
  const { manager, page } = await open({ main: ['a'] });
  manager.calls.length = 0;

  await Promise.all([page.refresh('group'), page.refresh('servers'), page.refresh('group')]);

  assert.equal(manager.calls.toSorted(), [
    'GET /api/current?group=main',
    'GET /api/servers',
    'GET /api/tools?group=main',
  ]);
});

test('what did not change is the same object after a refresh', async () => {
  const { page, state } = await open({ main: ['a'] });
  const before = state();

  await page.refresh('groups', 'servers', 'group');

  assert.is(state().tools, before.tools);
  assert.is(state().servers, before.servers);
  assert.is(state().saved, before.saved);
});

test('unsaved ticks wait for the return to their group', async () => {
  const { page, saving, state } = await open({ main: ['a'], other: ['b'] });
  saving.tick(['c'], true);

  await page.show('other');
  assert.is(state().draft.size, 0);
  assert.ok('main' in state().kept);
  await page.show('main');

  assert.is(state().draft.get('c'), true);
  assert.equal(state().kept, {});
});

test('what was changed while another group was shown is a conflict on return', async () => {
  const { manager, page, saving, state } = await open({ main: ['a'], other: ['b'] });
  saving.tick(['c'], true);
  await page.show('other');
  manager.write('main', ['d']);

  await page.show('main');

  assert.equal(state().conflict?.theirs.tools, ['d']);
});

test('a tick of a tool that is gone is dropped and said, and the others can be saved', async () => {
  const { manager, page, saving, state } = await open({ main: ['a', 'b'] });
  saving.tick(['c', 'd'], true);
  saving.tick(['a', 'b'], false);
  manager.withdraw('c');
  manager.withdraw('b');

  await page.refresh('group');

  assert.equal(Object.fromEntries(state().draft), { d: true, a: false, b: false });
  assert.match(state().notices[0]?.text ?? '', /^No longer offered, tick dropped: c$/);
  await saving.save();
  assert.equal(manager.toolsOf('main'), ['d']);
});

test('ticks of another group that are gone meanwhile are dropped on return to it', async () => {
  const { manager, page, saving, state } = await open({ main: ['a'], other: ['b'] });
  saving.tick(['c'], true);
  await page.show('other');
  manager.withdraw('c');

  await page.show('main');

  assert.is(state().draft.size, 0);
  assert.match(state().notices[0]?.text ?? '', 'tick dropped: c');
});

test('a tick that somebody else saved meanwhile is not said to be gone', async () => {
  const { manager, page, saving, state } = await open({ main: ['a'] });
  saving.tick(['c'], true);
  manager.write('main', ['a', 'c']);
  manager.withdraw('c');

  await page.refresh('group');

  assert.is(state().draft.size, 0);
  assert.equal(state().notices, []);
});

test('of many ticks that are gone only some are named', async () => {
  const { manager, page, saving, state } = await open({ main: [] });
  saving.tick(['a', 'b', 'c', 'd'], true);
  for (const tool of 'abcd') manager.withdraw(tool);

  await page.refresh('group');

  assert.match(state().notices[0]?.text ?? '', /dropped: a, b, c and 1 more$/);
});

test('unsaved ticks of a group that is gone from the list hold nobody back', async () => {
  const { manager, page, saving, state } = await open({ main: ['a'], other: ['b'] }, 'other');
  saving.tick(['c'], true);
  await page.show('main');
  assert.ok('other' in state().kept);
  manager.remove('other');

  await page.refresh('groups');

  assert.equal(state().kept, {});
});

test('a manager that does not answer leaves everything as it was known', async () => {
  const { manager, page, state } = await open({ main: ['a'] });
  manager.failWith('unreachable');

  await page.refresh('groups', 'servers', 'group');

  assert.is(state().reachable, false);
  assert.equal(state().saved?.tools, ['a']);
  manager.failWith();
  await page.refresh('servers');
  assert.is(state().reachable, true);
});

test('a group that somebody else deleted is left for the default one, and said', async () => {
  const { manager, page, state } = await open({ main: ['a'], other: ['b'] }, 'other');
  manager.remove('other');

  await page.refresh('group');
  await page.refresh('groups');

  assert.is(state().group, 'main');
  assert.equal(state().saved?.tools, ['a']);
  assert.equal(state().groups?.names, ['main']);
  assert.match(state().notices[0]?.text ?? '', 'no longer there');
});

test('a group that is gone from the list is left without being asked for', async () => {
  const { manager, page, state } = await open({ main: ['a'], other: ['b'] }, 'other');
  manager.remove('other');
  manager.calls.length = 0;

  await page.refresh('groups');

  assert.is(state().group, 'main');
  assert.not(
    manager.calls.some((call) => call.includes('other')),
    `${manager.calls}`,
  );
});

test('a bad notice stays until it is dismissed', async () => {
  const { page, state } = await open({ main: [] });
  page.notify('bad', 'Something failed.');
  const [notice] = state().notices;
  assert.is(notice?.text, 'Something failed.');

  page.dismiss(notice?.id ?? 0);

  assert.equal(state().notices, []);
});

test.run();
