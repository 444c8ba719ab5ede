import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  changesOf,
  difference,
  draftAfterSave,
  isWanted,
  noDraft,
  rebase,
  signed,
  tick,
  wantedTools,
} from '../../../static/state/selection.js';

const test = suite('ticks on the dashboard');
const saved = ['a', 'b', 'c'];
const members = new Set(saved);

test('a tick that is taken back leaves nothing to save', () => {
  const ticked = tick(noDraft, members, ['d'], true);
  assert.is(ticked.size, 1);
  assert.is(tick(ticked, members, ['d'], false).size, 0);
});

test('a draft is never changed in place', () => {
  const before = tick(noDraft, members, ['d'], true);
  tick(before, members, ['e'], true);
  assert.equal([...before.keys()], ['d']);
  assert.is(noDraft.size, 0);
});

test('ticking all that is shown counts only what was not saved yet', () => {
  const draft = tick(noDraft, members, ['a', 'b', 'd', 'e'], true);
  assert.equal(changesOf(draft), { added: ['d', 'e'], removed: [] });
});

test('what is wanted is the saved state unless a tick says otherwise', () => {
  const draft = tick(tick(noDraft, members, ['a'], false), members, ['d'], true);
  assert.is(isWanted(draft, members, 'a'), false);
  assert.is(isWanted(draft, members, 'b'), true);
  assert.is(isWanted(draft, members, 'd'), true);
  assert.is(isWanted(draft, members, 'e'), false);
});

test('Save keeps the order of the file and appends what was switched on', () => {
  const draft = tick(tick(noDraft, members, ['b'], false), members, ['z', 'd'], true);
  assert.equal(wantedTools(saved, draft), ['a', 'c', 'z', 'd']);
});

test('changes that the other side made as well are no changes any more', () => {
  const draft = tick(tick(noDraft, members, ['a'], false), members, ['d', 'e'], true);
  assert.equal(changesOf(rebase(draft, ['b', 'c', 'd'])), { added: ['e'], removed: [] });
});

test('a tick made while a Save is under way is left to save', () => {
  const sent = tick(noDraft, members, ['d'], true);
  const now = tick(sent, members, ['a'], false);
  assert.equal(changesOf(draftAfterSave(sent, now, ['a', 'b', 'c', 'd'])), { added: [], removed: ['a'] });
});

test('a tick taken back while a Save is under way is left to save as its opposite', () => {
  const sent = tick(noDraft, members, ['d'], true);
  const now = tick(sent, members, ['d'], false);
  assert.equal(changesOf(draftAfterSave(sent, now, ['a', 'b', 'c', 'd'])), { added: [], removed: ['d'] });
});

test('two lists are told apart by what came and what went, not by their order', () => {
  assert.equal(difference(saved, ['c', 'd', 'a']), { added: ['d'], removed: ['b'] });
  assert.equal(difference(saved, ['c', 'b', 'a']), { added: [], removed: [] });
});

test('a change is written with its signs, and only those that there are', () => {
  assert.is(signed({ added: ['a', 'b', 'c'], removed: ['d'] }), '+3 −1');
  assert.is(signed({ added: [], removed: ['d'] }), '−1');
});

test.run();
