// @ts-check
// The ticks of the page, apart from the saved group. A draft holds only differences, so that an empty draft means "as saved"
// and a tick that is taken back leaves nothing behind.

/** @typedef {ReadonlyMap<string, boolean>} Draft Tool name → wanted in the group. */

/** @type {Draft} */
export const noDraft = new Map();

/**
 * @param {Draft} draft @param {ReadonlySet<string>} saved @param {Iterable<string>} names @param {boolean} isOn
 * @returns {Draft}
 */
export function tick(draft, saved, names, isOn) {
  const next = new Map(draft);
  for (const name of names) {
    if (saved.has(name) === isOn) next.delete(name);
    else next.set(name, isOn);
  }
  return next;
}

/** @param {Draft} draft @param {ReadonlySet<string>} saved @param {string} name */
export function isWanted(draft, saved, name) {
  return draft.get(name) ?? saved.has(name);
}

/**
 * The list that Save sends: the saved order without what was switched off, then what was switched on.
 * @param {readonly string[]} saved @param {Draft} draft
 */
export function wantedTools(saved, draft) {
  const kept = saved.filter((name) => draft.get(name) !== false);
  const added = [...draft].filter(([, isOn]) => isOn).map(([name]) => name);
  return [...new Set([...kept, ...added])];
}

/**
 * The part of a draft that still differs from another saved list.
 * @param {Draft} draft @param {readonly string[]} saved
 * @returns {Draft}
 */
export function rebase(draft, saved) {
  const members = new Set(saved);
  return new Map([...draft].filter(([name, isOn]) => members.has(name) !== isOn));
}

/**
 * The ticks of tools that can still be added. A name that no server lists would make every Save fail, and there is no row
 * left to untick it.
 * @param {Draft} draft @param {ReadonlySet<string>} listed
 * @returns {Draft} The same when all of them could.
 */
export function withoutGone(draft, listed) {
  const left = [...draft].filter(([name, isOn]) => !isOn || listed.has(name));
  return left.length === draft.size ? draft : new Map(left);
}

/**
 * The ticks that remain to be saved after a Save: those made, or taken back, while the Save was under way.
 * @param {Draft} sent @param {Draft} now @param {readonly string[]} saved As the service answered.
 * @returns {Draft}
 */
export function draftAfterSave(sent, now, saved) {
  const takenBack = [...sent].filter(([name]) => !now.has(name)).map(([name, isOn]) => [name, !isOn]);
  return rebase(new Map([...now, .../** @type {[string, boolean][]} */ (takenBack)]), saved);
}

/** @param {Draft} draft */
export function changesOf(draft) {
  const added = [...draft].filter(([, isOn]) => isOn).map(([name]) => name);
  const removed = [...draft].filter(([, isOn]) => !isOn).map(([name]) => name);
  return { added, removed };
}

/** @param {readonly string[]} before @param {readonly string[]} after */
export function difference(before, after) {
  const [was, is] = [new Set(before), new Set(after)];
  return { added: after.filter((name) => !was.has(name)), removed: before.filter((name) => !is.has(name)) };
}

/** "+3 −1", with the parts that are there. @param {{ added: readonly string[], removed: readonly string[] }} change */
export function signed({ added, removed }) {
  const parts = [added.length > 0 && `+${added.length}`, removed.length > 0 && `−${removed.length}`];
  return parts.filter(Boolean).join(' ');
}
