import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ApiFailure } from '../../../static/lib/api.js';
import { createPage } from '../../../static/state/page.js';
import { createSaving } from '../../../static/state/saving.js';
import { createMemoryManager } from './memory-manager.ts';

const test = suite('Save on the dashboard');

async function open(groups: Record<string, string[]> = { main: ['a', 'b'] }) {
  const manager = createMemoryManager(groups);
  const page = createPage({ api: manager.api, noticeMs: 100 });
  await page.refresh('groups', 'servers', 'group');
  return { manager, page, saving: createSaving(page), state: page.store.get };
}

test('Save sends the ticks, and nothing is left to save', async () => {
  const { manager, saving, state } = await open();
  saving.tick(['c'], true);
  saving.tick(['a'], false);

  await saving.save();

  assert.equal(manager.toolsOf('main'), ['b', 'c']);
  assert.equal(state().saved?.tools, ['b', 'c']);
  assert.is(state().draft.size, 0);
});

test('nothing is sent when nothing is ticked', async () => {
  const { manager, saving } = await open();
  await saving.save();
  assert.not(manager.calls.some((call) => call.startsWith('PUT')));
});

test('a file that somebody else changed is not overwritten but shown as a conflict', async () => {
  const { manager, saving, state } = await open();
  saving.tick(['c'], true);
  manager.write('main', ['a', 'd']);

  await saving.save();

  assert.equal(manager.toolsOf('main'), ['a', 'd']);
  assert.equal(state().conflict?.theirs.tools, ['a', 'd']);
  assert.is(state().draft.get('c'), true);
});

test('where the file is managed elsewhere the text to put there is shown, and the ticks stay', async () => {
  const { manager, page, saving, state } = await open();
  saving.tick(['c'], true);
  const details = { file: 'main.json', text: '{}\n' };
  manager.failWith('group_read_only', details);

  await saving.save();

  const { elsewhere } = state();
  assert.equal(elsewhere instanceof ApiFailure && elsewhere.details, details);
  assert.equal(state().notices, []);
  assert.is(state().draft.get('c'), true);
  page.store.set({ elsewhere: undefined });
});

test('after a conflict mine can be saved on top of theirs', async () => {
  const { manager, saving } = await open();
  saving.tick(['c'], true);
  manager.write('main', ['a', 'd']);
  await saving.save();

  saving.applyToTheirs();
  await saving.save();

  assert.equal(manager.toolsOf('main'), ['a', 'd', 'c']);
});

test('Discard during a conflict leaves theirs, and nothing in conflict', async () => {
  const { manager, page, saving, state } = await open();
  saving.tick(['c'], true);
  manager.write('main', ['d']);
  await page.refresh('group');
  assert.ok(state().conflict);

  saving.discard();

  assert.equal(state().saved?.tools, ['d']);
  assert.is(state().conflict, undefined);
  assert.is(state().draft.size, 0);
});

test('the last tick taken back by hand ends a conflict as well', async () => {
  const { manager, page, saving, state } = await open();
  saving.tick(['c', 'd'], true);
  manager.write('main', ['a']);
  await page.refresh('group');

  saving.tick(['c'], false);
  assert.ok(state().conflict);
  saving.tick(['d'], false);

  assert.equal(state().saved?.tools, ['a']);
  assert.is(state().conflict, undefined);
});

test('a file that changed only elsewhere is saved at the second attempt', async () => {
  const { manager, saving, state } = await open();
  saving.tick(['c'], true);
  manager.write('main', ['a', 'b']);

  await saving.save();

  assert.equal(manager.toolsOf('main'), ['a', 'b', 'c']);
  assert.is(state().conflict, undefined);
});

test('a Save that fails keeps the ticks and says why', async () => {
  const { manager, saving, state } = await open();
  saving.tick(['c'], true);
  manager.failWith('storage_failed');

  await saving.save();

  assert.is(state().draft.get('c'), true);
  assert.is(state().saving, false);
  assert.match(state().notices[0]?.text ?? '', 'Not saved. It went wrong.');
});

test('a Save that is refused for a tool that is gone succeeds without it at the next attempt', async () => {
  const { manager, saving, state } = await open();
  saving.tick(['c', 'd'], true);
  manager.withdraw('c');

  await saving.save();
  assert.equal(manager.toolsOf('main'), ['a', 'b']);
  assert.equal([...state().draft], [['d', true]]);
  await saving.save();

  assert.equal(manager.toolsOf('main'), ['a', 'b', 'd']);
});

test('a tick that goes while it is being saved is said to be dropped once', async () => {
  const { manager, page, saving, state } = await open();
  manager.slowDownWrites(120);
  saving.tick(['c', 'd'], true);
  manager.withdraw('c');
  const said = new Set<number>();
  page.store.subscribe(() => {
    for (const { id, text } of state().notices) if (text.includes('tick dropped')) said.add(id);
  });

  await Promise.all([saving.save(), page.refresh('group')]);
  await page.refresh('group');

  assert.is(said.size, 1);
});

test('a tick made while a Save is under way is not lost', async () => {
  const { manager, saving, state } = await open();
  saving.tick(['c'], true);
  const saved = saving.save();
  saving.tick(['d'], true);
  await saved;

  assert.equal(manager.toolsOf('main'), ['a', 'b', 'c']);
  assert.equal([...state().draft], [['d', true]]);
  assert.is(state().conflict, undefined);
});

test('a look from before a Save that comes in after it changes nothing', async () => {
  const { manager, page, saving, state } = await open();
  manager.slowDown(150);
  const look = page.refresh('group');
  await new Promise((resolve) => setTimeout(resolve, 80));
  saving.tick(['c'], true);
  await saving.save();
  manager.slowDown(0);
  const seen: string[] = [];
  const stop = page.store.subscribe(() => seen.push(String(state().saved?.tools)));

  await look;
  await page.refresh('group');

  stop();
  assert.equal([...new Set(seen)], ['a,b,c']);
  assert.ok(state().undo);
});

test.run();
