import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createPage } from '../../../static/state/page.js';
import { createSaving } from '../../../static/state/saving.js';
import { createMemoryManager } from './memory-manager.ts';

const test = suite('Undo on the dashboard');

async function open(groups: Record<string, string[]> = { main: ['a', 'b'] }) {
  const manager = createMemoryManager(groups);
  const page = createPage({ api: manager.api, noticeMs: 100 });
  await page.refresh('groups', 'servers', 'group');
  return { manager, page, saving: createSaving(page), state: page.store.get };
}

test('Undo brings back the list from before the Save, in its order', async () => {
  const { manager, saving, state } = await open();
  saving.tick(['a'], false);
  await saving.save();

  await saving.undo();

  assert.equal(manager.toolsOf('main'), ['a', 'b']);
  assert.equal(state().saved?.tools, ['a', 'b']);
  assert.is(state().undo, undefined);
});

test('Undo leaves a file alone that changed after the Save, and says so', async () => {
  const { manager, saving, state } = await open();
  saving.tick(['a'], false);
  await saving.save();
  manager.write('main', ['d']);

  await saving.undo();

  assert.equal(manager.toolsOf('main'), ['d']);
  assert.match(state().notices[0]?.text ?? '', 'Not undone.');
  assert.is(state().undo, undefined);
});

test('an Undo whose answer comes when another group is shown leaves that one alone', async () => {
  const { manager, page, saving, state } = await open({ main: ['a', 'b'], other: ['d'] });
  saving.tick(['a'], false);
  await saving.save();
  manager.slowDownWrites(150);

  const undone = saving.undo();
  await page.show('other');
  const seen: string[] = [];
  page.store.subscribe(() => seen.push(`${state().saved?.tools}`));
  await undone;
  await page.refresh('group');

  assert.equal(manager.toolsOf('main'), ['a', 'b']);
  assert.not(seen.includes('a,b'), `${seen}`);
  assert.equal(state().saved?.tools, ['d']);
});

test('an Undo that fails can be tried again', async () => {
  const { manager, saving, state } = await open();
  saving.tick(['a'], false);
  await saving.save();
  manager.failWith('unreachable');
  await saving.undo();
  assert.match(state().notices[0]?.text ?? '', 'Not undone. It went wrong.');
  manager.failWith();

  await saving.undo();

  assert.equal(manager.toolsOf('main'), ['a', 'b']);
  assert.is(state().undo, undefined);
});

test('an Undo that fails is not offered in the place of ticks made meanwhile, nor in another group', async () => {
  const { manager, page, saving, state } = await open({ main: ['a'], other: ['b'] });
  saving.tick(['a'], false);
  await saving.save();
  manager.failWith('unreachable');
  const failed = saving.undo();
  saving.tick(['c'], true);
  await failed;
  assert.is(state().undo, undefined);
  manager.failWith();

  await saving.save();
  manager.failWith('unreachable');
  manager.slowDownWrites(100);
  const again = saving.undo();
  await page.show('other');
  await again;

  assert.is(state().undo, undefined);
});

test('a tick made while an Undo is under way is left to save only where it differs', async () => {
  const { manager, saving, state } = await open();
  saving.tick(['a'], false);
  await saving.save();

  const undone = saving.undo();
  saving.tick(['a'], true);
  saving.tick(['c'], true);
  await undone;

  assert.equal(manager.toolsOf('main'), ['a', 'b']);
  assert.equal([...state().draft], [['c', true]]);
});

test('Undo leaves out what no server offers any more', async () => {
  const { manager, saving } = await open({ main: ['gone', 'a'] });
  saving.tick(['gone', 'a'], false);
  await saving.save();

  await saving.undo();

  assert.equal(manager.toolsOf('main'), ['a']);
});

test('Undo leaves what is missing where the Save left it', async () => {
  const { manager, saving } = await open({ main: ['gone', 'a'] });
  saving.tick(['a'], false);
  await saving.save();

  await saving.undo();

  assert.equal(manager.toolsOf('main'), ['gone', 'a']);
});

test('a change by somebody else ends the offer to undo', async () => {
  const { manager, page, saving, state } = await open();
  saving.tick(['a'], false);
  await saving.save();
  manager.write('main', ['d']);

  await page.refresh('group');

  assert.equal(state().saved?.tools, ['d']);
  assert.is(state().undo, undefined);
});

test('the next tick ends the offer to undo', async () => {
  const { saving, state } = await open();
  saving.tick(['a'], false);
  await saving.save();
  assert.ok(state().undo);

  saving.tick(['b'], false);

  assert.is(state().undo, undefined);
});

test.run();
