import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createGroupRequests } from '../../../static/groups/group-requests.js';
import { createPage } from '../../../static/state/page.js';
import { createSaving } from '../../../static/state/saving.js';
import { createMemoryManager } from './memory-manager.ts';

const test = suite('which definitions the dashboard approves');

async function open() {
  const manager = createMemoryManager({ main: ['a', 'b'] });
  for (const tool of ['a', 'b', 'c', 'd']) manager.define(tool, `${tool}1`);
  manager.define('a', 'a2', 'a1');
  const page = createPage({ api: manager.api, noticeMs: 100 });
  await page.refresh('groups', 'servers', 'group');
  return { manager, page, saving: createSaving(page) };
}

test('a Save sends what its ticks were made on, and nothing of tools that stay', async () => {
  const { manager, page, saving } = await open();
  saving.tick(['c'], true);
  manager.define('c', 'c2');
  await page.refresh('group');
  saving.tick(['d', 'b'], true);

  await saving.save();

  assert.equal(manager.sentHashes, [{ c: 'c1', d: 'd1' }]);
});

test('a tick that is made again is one on the newer definition', async () => {
  const { manager, page, saving } = await open();
  saving.tick(['c'], true);
  saving.tick(['c'], false);
  manager.define('c', 'c2');
  await page.refresh('group');
  saving.tick(['c'], true);

  await saving.save();

  assert.equal(manager.sentHashes, [{ c: 'c2' }]);
});

test('an Undo brings back what was approved before, the mark of a change with it', async () => {
  const { manager, page, saving } = await open();
  saving.tick(['a', 'b'], false);
  saving.tick(['c'], true);
  await saving.save();
  manager.define('b', 'b2');
  await page.refresh('group');

  await saving.undo();

  assert.equal(manager.toolsOf('main'), ['a', 'b']);
  assert.equal(manager.sentHashes, [{ c: 'c1' }, { a: 'a1', b: 'b1' }]);
});

test('a copy of a group has the same approved, and nothing more', async () => {
  const { manager, page } = await open();

  await createGroupRequests(page).create({ name: 'copy', description: '', isCopy: true });

  assert.equal(manager.sentHashes, [{ a: 'a1', b: 'b1' }]);
});

test.run();
