// @ts-check
// The last lines that a server wrote before it failed, with the most telling one marked.
import { html } from '../lib/html.js';
import { CopyButton } from '../lib/ui.js';

/**
 * @param {{ lines?: readonly string[], line?: string, reason?: string }} props `line`: the telling one of them. `reason`: what is said
 *   of the failure already; where it is not known which line that quotes, it is found there.
 */
export function LastLines({ lines = [], line, reason = '' }) {
  const isTelling = (/** @type {string} */ one) =>
    line === undefined ? isQuoted(one, reason) : one.trim() === line;
  const at = lines.findLastIndex(isTelling);
  // Alone it stands above already.
  if (lines.length - (at < 0 ? 0 : 1) === 0) return null;
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

/** @param {string} line @param {string} reason */
const isQuoted = (line, reason) => line.trim() !== '' && reason.includes(`"${line.trim()}"`);
