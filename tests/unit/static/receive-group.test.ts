import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { applyToTheirs, discardMine, receiveGroup } from '../../../static/state/receive-group.js';
import { changesOf, noDraft, tick, wantedTools } from '../../../static/state/selection.js';

const test = suite('a group that changes while it is looked at');
const version = (tools: string[], etag: string) => ({ tools, etag, description: '' });
const saved = version(['a', 'b'], '1');
const ticked = (name: string, isOn: boolean) => tick(noDraft, new Set(saved.tools), [name], isOn);

test('without unsaved ticks the change is simply shown', () => {
  const theirs = version(['b', 'c'], '2');
  assert.equal(receiveGroup({ saved, draft: noDraft }, theirs), {
    saved: theirs,
    draft: noDraft,
    conflict: undefined,
  });
});

test('with unsaved ticks it is a conflict, and nothing of either side is lost', () => {
  const draft = ticked('c', true);
  const state = receiveGroup({ saved, draft }, version(['a'], '2'));

  assert.is(state.saved, saved);
  assert.is(state.draft.get('c'), true);
  assert.equal(state.conflict?.theirs.tools, ['a']);
});

test('a change elsewhere in the file is no conflict, and the next Save knows the new version', () => {
  const state = receiveGroup({ saved, draft: ticked('c', true) }, version(['a', 'b'], '2'));

  assert.is(state.conflict, undefined);
  assert.is(state.saved?.etag, '2');
  assert.is(state.draft.size, 1);
});

test('when the other side did the same, there is nothing left to decide', () => {
  const state = receiveGroup({ saved, draft: ticked('c', true) }, version(['a', 'b', 'c'], '2'));

  assert.is(state.conflict, undefined);
  assert.is(state.draft.size, 0);
});

test('a conflict ends when the other side goes back', () => {
  const conflict = receiveGroup({ saved, draft: ticked('c', true) }, version(['a'], '2'));

  const state = receiveGroup(conflict, version(['a', 'b'], '3'));

  assert.is(state.conflict, undefined);
  assert.equal(changesOf(state.draft), { added: ['c'], removed: [] });
});

test('applied to theirs, my ticks stand on their version and are still to be saved', () => {
  const draft = tick(ticked('c', true), new Set(saved.tools), ['a'], false);
  const state = applyToTheirs(receiveGroup({ saved, draft }, version(['b', 'd'], '2')));

  assert.is(state.conflict, undefined);
  assert.is(state.saved?.etag, '2');
  assert.equal(changesOf(state.draft), { added: ['c'], removed: [] });
  assert.equal(wantedTools(state.saved?.tools ?? [], state.draft), ['b', 'd', 'c']);
});

test('discarding mine leaves theirs', () => {
  const state = discardMine(receiveGroup({ saved, draft: ticked('c', true) }, version(['d'], '2')));

  assert.equal(state.saved?.tools, ['d']);
  assert.is(state.draft.size, 0);
  assert.is(state.conflict, undefined);
});

test('a tick made before the group was known counts only where it differs', () => {
  const draft = new Map([
    ['a', true],
    ['c', true],
  ]);
  const state = receiveGroup({ saved: undefined, draft }, saved);
  assert.equal(changesOf(state.draft), { added: ['c'], removed: [] });
});

test.run();
