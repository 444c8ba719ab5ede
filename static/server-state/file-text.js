// @ts-check
// The whole text of a file that is managed elsewhere, to be copied and put there.
import { ApiFailure } from '../lib/api.js';
import { html } from '../lib/html.js';
import { CopyButton } from '../lib/ui.js';

/** @param {unknown} error @returns {{ file: string, text: string } | undefined} */
export function fileIn(error) {
  const { file, text } = (error instanceof ApiFailure && error.details) || {};
  return typeof file === 'string' && typeof text === 'string' ? { file, text } : undefined;
}

/** @param {{ file: string, text: string }} props */
export function FileText({ file, text }) {
  return html`
    <div class="stack">
      <div class="row"><code class="foreign">${file}</code><span class="push"><${CopyButton} text=${text} label=${`the text of ${file}`} /></span></div>
      <pre class="foreign" tabindex="0" aria-label=${`Text of ${file}`}>${text}</pre>
    </div>`;
}
