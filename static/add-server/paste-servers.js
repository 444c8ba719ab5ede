// @ts-check
// Servers out of another client's file: found, chosen, added one after another.
import { html, useAction } from '../lib/html.js';
import { Field } from './fields.js';
import { FoundServers } from './found-servers.js';
import { entriesOf, parsePasted } from './pasted.js';

/** @typedef {import('./pasted.js').Entry} Entry */
/** @typedef {{ text: string, problem: string, entries: Entry[] | undefined, isBusy: boolean }} Paste */

/**
 * @typedef {object} Props
 * @property {import('../lib/api.js').Api} api
 * @property {boolean} isAllowed
 * @property {string} command
 * @property {Paste} paste
 * @property {(change: (before: Paste) => Paste) => void} setPaste
 * @property {() => void} onClose
 * @property {(name: string) => void} onAdded
 */

/** @type {Paste} */
PasteServers.initial = { text: '', problem: '', entries: undefined, isBusy: false };

/** @param {Props} props */
export function PasteServers(props) {
  return props.paste.entries === undefined
    ? html`<${PasteText} ...${props} />`
    : html`<${FoundServers} ...${props} onAgain=${() => props.setPaste(() => PasteServers.initial)} />`;
}

/** @param {Props} props */
function PasteText({ api, isAllowed, paste, setPaste, onClose }) {
  const show = (/** @type {Partial<Paste>} */ patch) => setPaste((before) => ({ ...before, ...patch }));
  const find = useAction(async (/** @type {Event} */ event) => {
    event.preventDefault();
    const parsed = parsePasted(paste.text);
    if ('problem' in parsed) return show({ problem: parsed.problem });
    try {
      const entries = entriesOf(await api.post('/api/servers/convert', parsed.body), isAllowed);
      if (entries.length === 0) return show({ problem: 'There is no server in it.' });
      show({ entries, text: '', problem: '' });
    } catch (error) {
      show({ problem: /** @type {Error} */ (error).message });
    }
  });
  return html`
    <form class="stack" onSubmit=${find} noValidate>
      <${Field} label="JSON configuration of another client, or docker run lines" isRequired multiline isCode rows="10" value=${paste.text} problem=${paste.problem}
        placeholder=${'{ "mcpServers": { "time": { "command": "uvx", "args": ["mcp-server-time"] } } }'}
        hint="As Claude, Cursor, VS Code or Windsurf have it. Nothing is added before you have chosen."
        onInput=${(/** @type {string} */ text) => show({ text, problem: '' })} />
      <div class="dialog-actions">
        <button type="button" onClick=${onClose}>Cancel</button>
        <button type="submit" class="primary">Find servers</button>
      </div>
    </form>`;
}
