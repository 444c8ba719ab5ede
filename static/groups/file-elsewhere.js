// @ts-check
// A change of a group whose file is managed elsewhere was refused: the dialog with the text to put there.
import { html } from '../lib/html.js';
import { Dialog } from '../lib/ui.js';
import { FileText } from '../server-state/file-text.js';

/** @param {{ elsewhere: import('../state/refusals.js').FileElsewhere, onClose(): void }} props */
export function FileElsewhereDialog({ elsewhere, onClose }) {
  return html`
    <${Dialog} title="Not saved: managed elsewhere" onClose=${onClose}>
      <p class="foreign">${elsewhere.sentence}</p>
      <${FileText} ...${elsewhere} />
      <p class="soft">The ticks on this page stay unsaved until the file has them.</p>
    <//>`;
}
