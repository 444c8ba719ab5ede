// @ts-check
// What a server wrote before it failed; the line that says most stands out.
import { html } from '../lib/html.js';
import { CopyButton } from '../lib/ui.js';

/** @param {{ lines?: string[], line?: string }} props `line`: the telling one of them. */
export function LastLines({ lines = [], line }) {
  if (lines.length === 0) return null;
  const at = lines.findLastIndex((one) => one.trim() === line);
  const text = (/** @type {number} */ start, /** @type {number} */ end) => lines.slice(start, end).join('\n');
  const shown =
    at < 0
      ? text(0, lines.length)
      : html`${text(0, at)}${at > 0 && '\n'}<mark>${lines[at]}</mark>${at + 1 < lines.length && '\n'}${text(at + 1, lines.length)}`;
  return html`
    <div class="log last-lines">
      <div class="row"><h3>Its last lines</h3><span class="push"><${CopyButton} text=${lines.join('\n')} label="the log lines" /></span></div>
      <pre tabindex="0" role="group" aria-label="Its last lines" dir="ltr">${shown}</pre>
    </div>`;
}
