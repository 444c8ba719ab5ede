// @ts-check
// Merges two lists of lines into one that marks unchanged, removed and added lines.

/** @typedef {{ kind: 'same' | 'removed' | 'added', text: string }} Line */
/** @typedef {Line | { kind: 'skipped', count: number }} Shown */

/** Longer lists are not matched: comparing costs the product of their lengths. */
const mostCells = 4_000_000;

/** @param {readonly string[]} before @param {readonly string[]} after @returns {Line[]} */
export function diffLines(before, after) {
  const start = sharedLength(before, after, (list, at) => list[at]);
  const [one, other] = [before.slice(start), after.slice(start)];
  const end = sharedLength(one, other, (list, at) => list[list.length - 1 - at]);
  return [
    ...before.slice(0, start).map((text) => line('same', text)),
    ...between(one.slice(0, one.length - end), other.slice(0, other.length - end)),
    ...one.slice(one.length - end).map((text) => line('same', text)),
  ];
}

/**
 * Only what changed, and a few lines around it.
 * @param {readonly Line[]} lines @param {number} [around] @returns {Shown[]}
 */
export function folded(lines, around = 3) {
  const isNear = (/** @type {number} */ at) =>
    lines.slice(Math.max(0, at - around), at + around + 1).some(({ kind }) => kind !== 'same');
  /** @type {Shown[]} */
  const shown = [];
  lines.forEach((one, at) => {
    const last = shown.at(-1);
    if (isNear(at)) shown.push(one);
    else if (last?.kind === 'skipped') last.count++;
    else shown.push({ kind: 'skipped', count: 1 });
  });
  return shown;
}

/**
 * The part of a line that differs from the line which it replaces or which replaces it.
 * @param {string} text @param {string} other @returns {{ head: string, changed: string, tail: string }}
 */
export function changedPart(text, other) {
  const [one, two] = [[...text], [...other]];
  const start = sharedLength(one, two, (list, at) => list[at]);
  const end = sharedLength(one.slice(start), two.slice(start), (list, at) => list[list.length - 1 - at]);
  const cut = one.length - end;
  return {
    head: one.slice(0, start).join(''),
    changed: one.slice(start, cut).join(''),
    tail: one.slice(cut).join(''),
  };
}

/** @param {readonly string[]} before @param {readonly string[]} after @returns {Line[]} */
function between(before, after) {
  if ((before.length + 1) * (after.length + 1) > mostCells) {
    return [...before.map((text) => line('removed', text)), ...after.map((text) => line('added', text))];
  }
  const longest = commonLengths(before, after);
  const width = after.length + 1;
  const at = (/** @type {number} */ i, /** @type {number} */ j) => longest[i * width + j] ?? 0;
  /** @type {Line[]} */
  const lines = [];
  for (let i = 0, j = 0; i < before.length || j < after.length; ) {
    const [gone = '', come = ''] = [before[i], after[j]];
    const isBoth = i < before.length && j < after.length;
    if (isBoth && gone === come) {
      lines.push(line('same', gone));
      i++;
      j++;
    } else if (j === after.length || (isBoth && at(i + 1, j) >= at(i, j + 1))) {
      lines.push(line('removed', gone));
      i++;
    } else {
      lines.push(line('added', come));
      j++;
    }
  }
  return lines;
}

/**
 * How long the longest common subsequence is of what is left of `before` from i on and of `after` from j on, at
 * `i * (after.length + 1) + j`.
 * @param {readonly string[]} before @param {readonly string[]} after
 */
function commonLengths(before, after) {
  const width = after.length + 1;
  const longest = new Uint32Array((before.length + 1) * width);
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      const [down, right] = [longest[(i + 1) * width + j] ?? 0, longest[i * width + j + 1] ?? 0];
      const both = 1 + (longest[(i + 1) * width + j + 1] ?? 0);
      longest[i * width + j] = before[i] === after[j] ? both : Math.max(down, right);
    }
  }
  return longest;
}

/**
 * @param {readonly string[]} one @param {readonly string[]} other
 * @param {(list: readonly string[], at: number) => string | undefined} read
 */
function sharedLength(one, other, read) {
  const most = Math.min(one.length, other.length);
  let length = 0;
  while (length < most && read(one, length) === read(other, length)) length++;
  return length;
}

/** @param {Line['kind']} kind @param {string} text @returns {Line} */
function line(kind, text) {
  return { kind, text };
}
