// @ts-check
// Servers out of another client's file: found, chosen, added one after another.
import { html, useAction, useEffect, useRef } from '../lib/html.js';
import { Spinner } from '../lib/ui.js';
import { DataAtRisk } from '../servers/data-at-risk.js';
import { LastLines } from '../servers/last-lines.js';
import { riskIn } from '../servers/risk.js';
import { dockerLine, hostLine, onFile } from './command-line.js';
import { Field } from './fields.js';
import { entriesOf, isCommand, parsePasted } from './pasted.js';
import { mayReplace, replacementIn } from './replacement.js';
import { register } from './use-registration.js';
import { WhatIsReplaced } from './what-is-replaced.js';
import { Snippet } from './what-runs.js';

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
    : html`<${Found} ...${props} />`;
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

/** @param {Props} props */
function Found({ api, isAllowed, command, paste, setPaste, onClose, onAdded }) {
  const entries = paste.entries ?? [];
  const [heading, running] = [
    useRef(/** @type {HTMLElement | null} */ (null)),
    useRef(/** @type {AbortController | undefined} */ (undefined)),
  ];
  useEffect(() => {
    heading.current?.focus();
    return () => running.current?.abort();
  }, []);
  const change = (/** @type {string} */ name, /** @type {Partial<Entry>} */ patch) =>
    setPaste((before) => ({
      ...before,
      entries: before.entries?.map((entry) => (entry.name === name ? { ...entry, ...patch } : entry)),
    }));
  const waiting = entries.filter(
    ({ isChosen, state, replaces, isReplacing, isRenaming, risk, isDiscarding }) =>
      isChosen && state !== 'done' && (!replaces || isReplacing || isRenaming) && (!risk || isDiscarding),
  );
  const add = useAction(async () => {
    const leaving = new AbortController();
    running.current = leaving;
    setPaste((before) => ({ ...before, isBusy: true }));
    for (const { name, config, replaces, isReplacing, isRenaming, isDiscarding } of waiting) {
      if (leaving.signal.aborted) break;
      change(name, { state: 'busy', reason: undefined, log: [] });
      const said = { ...(isReplacing && { replace: true }), ...(isDiscarding && { discard_data: true }) };
      const renamed = isRenaming && replaces?.otherName ? { name: replaces.otherName } : {};
      const outcome = await addOne(api, { ...config, ...said, ...renamed }, leaving.signal);
      change(name, outcome);
      if (outcome.state === 'done') onAdded(outcome.addedAs ?? name);
    }
    setPaste((before) => ({ ...before, isBusy: false }));
  });
  const isTerminal = !isAllowed && entries.some(({ config }) => isCommand(config));
  const failed = waiting.filter(({ state }) => state === 'failed').length;
  return html`
    <div class="stack">
      <h3 tabindex="-1" ref=${heading}>${entries.length === 1 ? '1 server' : `${entries.length} servers`} found</h3>
      <ul class="found-servers">
        ${entries.map((entry) => html`<${EntryRow} key=${entry.name} entry=${entry} isAllowed=${isAllowed} isBusy=${paste.isBusy} onChange=${change} />`)}
      </ul>
      ${
        isTerminal &&
        html`<p>Commands run as programs on the gateway's host, so they are registered from a terminal there. Save the JSON there, and run:</p>
          <${Snippet} title="For the terminal" text=${`${command} import ${onFile(command, 'servers.json')}`} />`
      }
      <div class="dialog-actions">
        ${
          paste.isBusy
            ? html`<button type="button" onClick=${() => running.current?.abort()}>Cancel</button>`
            : html`<button type="button" onClick=${() => setPaste(() => PasteServers.initial)}>Paste again</button>
                <button type="button" onClick=${onClose}>Done</button>`
        }
        <button type="button" class="primary" disabled=${paste.isBusy || waiting.length === 0} onClick=${add}>
          ${failed > 0 && failed === waiting.length ? 'Retry' : 'Add'} ${waiting.length === 1 ? '1 server' : `${waiting.length} servers`}
        </button>
      </div>
    </div>`;
}

/**
 * @param {import('../lib/api.js').Api} api @param {any} config @param {AbortSignal} signal
 * @returns {Promise<Partial<Entry>>}
 */
async function addOne(api, config, signal) {
  let toolCount = 0;
  /** @type {string[]} */
  let warnings = [];
  try {
    await register(api, 'config', config, signal, (_, data) => {
      toolCount = data.tool_count ?? 0;
      warnings = data.warnings ?? [];
    });
    const note = warnings.join(' ');
    return {
      state: 'done',
      addedAs: config.name,
      toolCount,
      note,
      config: undefined,
      replaces: undefined,
      risk: undefined,
    };
  } catch (error) {
    if (signal.aborted) return { state: 'idle' };
    const replaces = replacementIn(/** @type {any} */ (error));
    if (replaces) return { state: 'idle', replaces, isRenaming: false };
    const risk = riskIn(/** @type {any} */ (error));
    if (risk) return { state: 'idle', risk };
    const { message, details } = /** @type {import('../lib/api.js').ApiFailure} */ (error);
    return { state: 'failed', reason: message, log: details?.log_tail ?? [] };
  }
}

/** @param {{ entry: Entry, isAllowed: boolean, isBusy: boolean, onChange(name: string, patch: Partial<Entry>): void }} props */
function EntryRow({ entry, isAllowed, isBusy, onChange }) {
  const {
    name,
    config,
    note,
    isChosen,
    state,
    reason,
    toolCount,
    replaces,
    isReplacing = false,
    isRenaming = false,
    addedAs = name,
    log = [],
    risk,
    isDiscarding = false,
  } = entry;
  const isPossible = config !== undefined && (isAllowed || !isCommand(config));
  const isDone = state === 'done';
  return html`
    <li data-state=${state}>
      <label class="row">
        <input type="checkbox" checked=${isChosen || isDone} disabled=${!isPossible || isBusy || isDone}
          onChange=${() => onChange(name, { isChosen: !isChosen })} />
        <strong class="foreign" dir="auto">${name}</strong>
        ${state === 'busy' && html`<${Spinner} label="Adding" />`}
        ${isDone && html`<span class="server-state good" role="status">Added${addedAs === name ? '' : ` as ${addedAs}`}, ${toolCount === 1 ? '1 tool' : `${toolCount} tools`}</span>`}
        ${state === 'failed' && html`<span class="server-state bad">Failed</span>`}
      </label>
      ${config && html`<code class="foreign" dir="ltr">${lineOf(config)}</code>`}
      ${note && html`<small class="foreign" dir="auto">${note}</small>`}
      ${replaces && html`<div role="alert"><${WhatIsReplaced} replacement=${replaces} isAllowed=${isAllowed} /></div>`}
      ${
        mayReplace(replaces, isAllowed) &&
        html`<label class="row">
          <input type="checkbox" checked=${isReplacing} disabled=${isBusy} onChange=${() => onChange(name, { isReplacing: !isReplacing, isRenaming: false })} />
          <span>Replace ${name}</span>
        </label>`
      }
      ${
        replaces?.otherName &&
        html`<label class="row">
          <input type="checkbox" checked=${isRenaming} disabled=${isBusy} onChange=${() => onChange(name, { isRenaming: !isRenaming, isReplacing: false })} />
          <span>Add it as ${replaces.otherName}</span>
        </label>`
      }
      ${
        risk &&
        html`<${DataAtRisk} risk=${risk} />
          <label class="row">
            <input type="checkbox" checked=${isDiscarding} disabled=${isBusy} onChange=${() => onChange(name, { isDiscarding: !isDiscarding })} />
            <span>Lose this data of ${name}</span>
          </label>`
      }
      ${reason && html`<small class="problem foreign" dir="auto" role="alert">${reason}</small>`}
      <${LastLines} lines=${log} />
    </li>`;
}

/** @param {any} config */
const lineOf = (config) => config.url ?? (isCommand(config) ? hostLine(config) : dockerLine(config));
