// @ts-check
// The bar at the foot: unsaved changes, or the last Save with its Undo.
import { html, useKeptFocus, useRef } from '../lib/html.js';
import { Spinner } from '../lib/ui.js';
import { counted } from '../server-state/server-status.js';
import { changesOf, signed } from '../state/selection.js';

/** @typedef {import('../state/page-state.js').Undo | undefined} Undo */

/**
 * @param {{ draft: import('../state/selection.js').Draft, undo: Undo, saving: boolean, isBlocked: boolean,
 *   onSave(): void, onReview(): void, onDiscard(): void, onUndo(): void }} props
 */
export function SaveBar({ draft, undo, saving, isBlocked, onSave, onReview, onDiscard, onUndo }) {
  const bar = useRef(null);
  useKeptFocus(bar);
  const isOpen = draft.size > 0 || undo !== undefined;
  return html`
    <footer ref=${bar} class=${`save-bar${isOpen ? ' open' : ''}`} aria-label="Unsaved changes">
      <p role="status">${textOf(draft, undo)}</p>
      ${saving && html`<${Spinner} label="Saving" />`}
      ${
        draft.size > 0 &&
        html`
        <button type="button" key="discard" class="push" onClick=${onDiscard}>Discard</button>
        ${
          isBlocked
            ? html`<button type="button" key="review" class="primary" onClick=${onReview}>See the conflict</button>`
            : html`<button type="button" key="save" class="primary" id="save" onClick=${onSave}>Save</button>`
        }`
      }
      ${draft.size === 0 && undo && html`<button type="button" key="undo" class="push" id="undo" onClick=${onUndo}>Undo</button>`}
    </footer>`;
}

/** @param {import('../state/selection.js').Draft} draft @param {Undo} undo */
function textOf(draft, undo) {
  if (draft.size > 0) return changesText(draft);
  return undo ? `Saved ${changesText(undo.draft)}` : '';
}

/** @param {import('../state/selection.js').Draft} draft */
const changesText = (draft) => `${counted(draft.size, 'change')}: ${signed(changesOf(draft))}`;
