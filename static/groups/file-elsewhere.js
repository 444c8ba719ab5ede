// @ts-check
// A change of a group whose file is managed elsewhere was refused: the dialog with the text to put there.
import { messageOf } from '../lib/api.js';
import { html } from '../lib/html.js';
import { Dialog } from '../lib/ui.js';
import { FileText, fileIn } from '../server-state/file-text.js';

/** @param {{ error: unknown, onClose(): void }} props */
export function FileElsewhereDialog({ error, onClose }) {
  const file = fileIn(error);
  return html`
    <${Dialog} title="Not saved: managed elsewhere" onClose=${onClose}>
      <p class="foreign">${messageOf(error)}</p>
      ${file && html`<${FileText} ...${file} />`}
      <p class="soft">The ticks on this page stay unsaved until the file has them.</p>
    <//>`;
}
