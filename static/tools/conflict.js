// @ts-check
// A conflict: the group was changed elsewhere while this page had unsaved ticks. Shows both sides and offers the choice.
import { html, useLayoutEffect } from '../lib/html.js';
import { changesOf, difference, signed } from '../state/selection.js';

/** @typedef {import('../state/receive-group.js').SavedGroup} SavedGroup */

/**
 * @param {{ saved: SavedGroup, theirs: SavedGroup, draft: import('../state/selection.js').Draft, onApply(): void,
 *   onDiscard(): void }} props
 */
export function ConflictView({ saved, theirs, draft, onApply, onDiscard }) {
  useLayoutEffect(() => focusNext, []);
  return html`
    <section class="card conflict" role="alert" aria-labelledby="conflict-title">
      <h2 id="conflict-title" tabindex="-1">The group was changed by somebody else</h2>
      <p class="soft">Nothing was overwritten. Your changes are not saved yet.</p>
      <div class="sides">
        <${Side} title="Theirs, saved" change=${difference(saved.tools, theirs.tools)} />
        <${Side} title="Yours, not saved" change=${changesOf(draft)} />
      </div>
      <div class="dialog-actions">
        <button type="button" onClick=${onDiscard}>Discard mine</button>
        <button type="button" class="primary" onClick=${onApply}>Apply my changes to theirs</button>
      </div>
    </section>`;
}

/** The focused button is gone after the choice, so the focus moves to Save where there is something to save. */
function focusNext() {
  if (document.activeElement?.closest('.conflict') === null) return;
  const main = document.querySelector('main');
  setTimeout(() => (document.getElementById('save') ?? main)?.focus({ preventScroll: true }));
}

const most = 12;

/** @param {{ title: string, change: { added: readonly string[], removed: readonly string[] } }} props */
function Side({ title, change }) {
  const lines = [...change.added.map((name) => `+ ${name}`), ...change.removed.map((name) => `− ${name}`)];
  return html`
    <div class="side">
      <h3>${title}: ${signed(change) || 'another order'}</h3>
      <ul>
        ${lines.slice(0, most).map((line) => html`<li key=${line}><code class="foreign" dir="auto">${line}</code></li>`)}
        ${lines.length > most && html`<li class="soft">and ${lines.length - most} more</li>`}
      </ul>
    </div>`;
}
