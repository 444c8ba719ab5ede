// @ts-check
// Servers from another client's file: listed, chosen, and added one after another.
import { html, useAction, useRef } from '../lib/html.js';
import { caught } from '../server-state/caught.js';
import { Field, useFirstFocus } from './fields.js';
import { FoundServers } from './found-servers.js';
import { firstValues } from './input-values.js';
import { entriesOf } from './pasted.js';

/** @typedef {import('./pasted.js').Paste} Paste */
/** @typedef {import('./pasted.js').PasteProps} Props */

/** @type {Paste} */
PasteServers.initial = { text: '', problem: '', inputs: [], values: {}, isTried: false, isBusy: false };

/** @param {Props} props */
export function PasteServers(props) {
  return props.paste.entries === undefined
    ? html`<${PasteText} ...${props} />`
    : html`<${FoundServers} ...${props} onAgain=${() => props.setPaste(({ text }) => ({ ...PasteServers.initial, text }))} />`;
}

/** @param {Props} props */
function PasteText({ api, isAllowed, paste, setPaste, onClose }) {
  const show = (/** @type {Partial<Paste>} */ patch) => setPaste((before) => ({ ...before, ...patch }));
  const form = useRef(/** @type {HTMLFormElement | null} */ (null));
  useFirstFocus(form);
  const find = useAction(async (/** @type {Event} */ event) => {
    event.preventDefault();
    try {
      const answer = await api.call('POST /api/servers/convert', { body: { text: paste.text } });
      const { inputs } = answer;
      const entries = entriesOf(answer, isAllowed);
      if (entries.length === 0) return show({ problem: 'There is no server in it.' });
      show({ entries, inputs, values: firstValues(inputs), isTried: false, problem: '' });
    } catch (error) {
      const { message, details } = caught(error);
      show({ problem: message });
      showPlace(form.current?.querySelector('textarea'), details);
    }
  });
  return html`
    <form class="stack" ref=${form} onSubmit=${find} noValidate>
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

/** @param {HTMLTextAreaElement | null | undefined} field @param {Partial<import('../../lib/clients/pasted-text.ts').TextPlace>} place */
function showPlace(field, { line, column = 1 }) {
  if (!field || line === undefined) return;
  const before = field.value.split('\n').slice(0, line - 1);
  const at = before.reduce((sum, one) => sum + one.length + 1, column - 1);
  field.focus();
  field.setSelectionRange(at, at + 1);
}
