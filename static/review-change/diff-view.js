// @ts-check
// Removed and added lines, marked by a sign and by words for screen readers, not by colour alone.
import { html } from '../lib/html.js';
import { changedPart, folded } from './line-diff.js';

const signs = { same: ' ', removed: '−', added: '+' };
const spoken = { same: '', removed: 'Before: ', added: 'Now: ' };
const tags = { same: 'span', removed: 'del', added: 'ins' };

/** @param {{ lines: readonly import('./line-diff.js').Line[], label: string }} props */
export function DiffView({ lines, label }) {
  const shown = folded(lines);
  return html`
    <ul class="diff foreign" tabindex="0" aria-label=${label}>
      ${shown.map((line, at) =>
        line.kind === 'skipped'
          ? html`<li key=${at} class="diff-line skipped">${line.count === 1 ? '1 line' : `${line.count} lines`} as before</li>`
          : html`<${DiffLine} key=${at} line=${line} other=${counterpart(shown, at)} />`,
      )}
    </ul>`;
}

/** @param {{ line: import('./line-diff.js').Line, other: string | undefined }} props */
function DiffLine({ line: { kind, text }, other }) {
  const { head, changed, tail } = other === undefined ? whole(text) : changedPart(text, other);
  return html`
    <li class=${`diff-line ${kind}`}>
      <span class="sign" aria-hidden="true">${signs[kind]}</span>
      ${spoken[kind] && html`<span class="unseen">${spoken[kind]}</span>`}
      <${tags[kind]}>${head}${changed && html`<strong>${changed}</strong>`}${tail}<//>
    </li>`;
}

/** @param {string} text */
const whole = (text) => ({ head: text, changed: '', tail: '' });

/**
 * Of as many lines that went as came in their place, the first belongs to the first, and so on.
 * @param {readonly import('./line-diff.js').Shown[]} shown @param {number} at
 * @returns {string | undefined}
 */
function counterpart(shown, at) {
  const kindAt = (/** @type {number} */ index) => shown[index]?.kind;
  if (kindAt(at) !== 'removed' && kindAt(at) !== 'added') return undefined;
  let start = at;
  while (kindAt(start - 1) === 'removed' || kindAt(start - 1) === 'added') start--;
  let middle = start;
  while (kindAt(middle) === 'removed') middle++;
  let end = middle;
  while (kindAt(end) === 'added') end++;
  if (middle - start !== end - middle) return undefined;
  const other = shown[at < middle ? at + (middle - start) : at - (middle - start)];
  return other && 'text' in other ? other.text : undefined;
}
