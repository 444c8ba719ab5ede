// @ts-check
// Applies the group as the service has it now. A change from elsewhere is shown when the page has nothing unsaved; with
// unsaved ticks it is a conflict, unless both sides agree.
import { noDraft, rebase } from './selection.js';

/**
 * @typedef {Omit<import('../lib/api.js').AnswerOf<'GET /api/current'>, 'group'>} SavedGroup
 * @typedef {{ theirs: SavedGroup }} Conflict `saved` stays what the draft was made against.
 * @typedef {{ saved?: SavedGroup, draft: import('./selection.js').Draft, conflict?: Conflict }} GroupState
 */

/**
 * @param {GroupState} state @param {SavedGroup} loaded
 * @returns {GroupState}
 */
export function receiveGroup({ saved, draft }, loaded) {
  const left = rebase(draft, loaded.tools);
  if (left.size === 0) return { saved: loaded, draft: noDraft, conflict: undefined };
  if (saved === undefined || isSameList(saved.tools, loaded.tools)) {
    return { saved: loaded, draft: left, conflict: undefined };
  }
  return { saved, draft, conflict: { theirs: loaded } };
}

/** @param {GroupState} state @returns {GroupState} Their version, with our ticks on top, still to be saved. */
export function applyToTheirs({ saved, draft, conflict }) {
  if (conflict === undefined) return { saved, draft };
  return { saved: conflict.theirs, draft: rebase(draft, conflict.theirs.tools), conflict: undefined };
}

/** @param {GroupState} state @returns {GroupState} */
export function discardMine({ saved, conflict }) {
  return { saved: conflict?.theirs ?? saved, draft: noDraft, conflict: undefined };
}

/** @param {readonly string[]} one @param {readonly string[]} other */
function isSameList(one, other) {
  return one.length === other.length && one.every((name, at) => name === other[at]);
}
