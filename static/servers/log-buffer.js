// @ts-check
// The lines of a log that are shown, and those that wait while the log is paused. Both are bounded.

/** @typedef {{ lines: string[], held: string[] | undefined }} Log `held`: what came since the pause; undefined while none. */

const mostLines = 1_000;

/** @type {Log} */
export const emptyLog = { lines: [], held: undefined };

/**
 * @param {Log} log
 * @param {string[]} lines
 * @param {boolean} [replaces] They are the whole log, not what came after.
 * @returns {Log}
 */
export function appendLines({ lines: shown, held }, lines, replaces = false) {
  if (held !== undefined) return { lines: shown, held: replaces ? held : last([...held, ...lines]) };
  return { lines: last(replaces ? lines : [...shown, ...lines]), held };
}

/** @param {Log} log @returns {Log} */
export const pauseLog = (log) => ({ ...log, held: [] });

/** @param {Log} log @returns {Log} */
export const resumeLog = ({ lines, held = [] }) => ({ lines: last([...lines, ...held]), held: undefined });

/** @param {string[]} lines */
const last = (lines) => lines.slice(-mostLines);
