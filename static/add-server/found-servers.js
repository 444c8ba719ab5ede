// @ts-check
// The servers found in a pasted text: chosen, then added one after another.
import { html, useAction, useEffect, useRef } from '../lib/html.js';
import { asTyped, onFile } from '../progress/command-line.js';
import { replacementIn } from '../progress/replacement.js';
import { caught } from '../server-state/caught.js';
import { riskIn } from '../server-state/risk.js';
import { problemsText } from '../server-state/server-status.js';
import { focusProblem } from './fields.js';
import { FoundServer } from './found-server.js';
import { inputsOf, withValues } from './input-values.js';
import { PasteInputs } from './paste-inputs.js';
import { isCommand } from './pasted.js';
import { register } from './use-registration.js';
import { SetAdminToken, Snippet } from './what-runs.js';

/** @typedef {import('./pasted.js').Entry} Entry */
/** @typedef {import('../progress/provision-progress.js').ProvisionDetails} ProvisionDetails */

/** @param {import('./pasted.js').PasteProps & { onAgain(): void }} props `onAgain`: something else is to be pasted. */
export function FoundServers({ api, rules, isAllowed, command, paste, setPaste, onClose, onAdded, onAgain }) {
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
  const names = waiting.map(({ name }) => name);
  const inputs = inputsOf(paste.inputs, names);
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  const isHeld = paste.isBusy || waiting.length === 0;
  const add = useAction(async () => {
    if (isHeld) return;
    setPaste((before) => ({ ...before, isTried: true }));
    if (inputs.some(({ id }) => !paste.values[id])) return focusProblem(box.current);
    const leaving = new AbortController();
    running.current = leaving;
    setPaste((before) => ({ ...before, isBusy: true }));
    for (const { name, config, replaces, isReplacing, isRenaming, isDiscarding } of waiting) {
      if (leaving.signal.aborted) break;
      change(name, { state: 'busy', reason: undefined, log: [] });
      const said = { ...(isReplacing && { replace: true }), ...(isDiscarding && { discard_data: true }) };
      const renamed = isRenaming && replaces?.otherName ? { name: replaces.otherName } : {};
      if (!config) continue;
      const filled = withValues(config, paste.values);
      const outcome = await addOne(api, command, { ...filled, ...said, ...renamed }, leaving.signal);
      change(name, outcome);
      if (outcome.state === 'done') onAdded(outcome.addedAs ?? name);
    }
    setPaste((before) => ({ ...before, ...stillNeeded(before), isBusy: false }));
  });
  const isTerminal = !isAllowed && entries.some(({ config }) => isCommand(config));
  const failed = waiting.filter(({ state }) => state === 'failed').length;
  return html`
    <div class="stack" ref=${box}>
      <h3 tabindex="-1" ref=${heading}>${entries.length === 1 ? '1 server' : `${entries.length} servers`} found</h3>
      <ul class="found-servers">
        ${entries.map((entry) => html`<${FoundServer} key=${entry.name} entry=${entry} rules=${rules} isAllowed=${isAllowed} isBusy=${paste.isBusy} onChange=${change} />`)}
      </ul>
      <${PasteInputs} inputs=${inputs} values=${paste.values} isTried=${paste.isTried} isBusy=${paste.isBusy}
        onChange=${(/** @type {string} */ id, /** @type {string} */ value) =>
          setPaste((before) => ({ ...before, values: { ...before.values, [id]: value } }))} />
      ${
        isTerminal &&
        html`<p>Commands run as programs on the gateway's host, so they are registered from a terminal there. Save the JSON there, and run:</p>
          <${Snippet} title="For the terminal" text=${`${command} import ${onFile(command, 'servers.json')}`} />
          <${SetAdminToken} />`
      }
      <div class="dialog-actions">
        ${
          paste.isBusy
            ? html`<button type="button" key="cancel" onClick=${() => running.current?.abort()}>Cancel</button>`
            : html`<button type="button" onClick=${onAgain}>Paste again</button>
                <button type="button" onClick=${onClose}>Done</button>`
        }
        <button type="button" class="primary" key="add" aria-disabled=${isHeld} onClick=${add}>
          ${failed > 0 && failed === waiting.length ? 'Retry' : 'Add'} ${waiting.length === 1 ? '1 server' : `${waiting.length} servers`}
        </button>
      </div>
    </div>`;
}

/** What was pasted, and what was typed, for servers that are here now is kept no longer. @param {import('./pasted.js').Paste} paste */
function stillNeeded({ text, inputs, values, entries = [] }) {
  const names = entries.filter(({ state }) => state !== 'done').map(({ name }) => name);
  const needed = inputsOf(inputs, names).map(({ id }) => [id, values[id] ?? '']);
  return { text: names.length > 0 ? text : '', values: Object.fromEntries(needed) };
}

/**
 * @param {import('../lib/api.js').Api} api @param {string} command @param {import('./form-fields.js').ConfigBody} config
 * @param {AbortSignal} signal
 * @returns {Promise<Partial<Entry>>}
 */
async function addOne(api, command, config, signal) {
  let toolCount = 0;
  /** @type {readonly string[]} */
  let remarks = [];
  try {
    await register(api, 'POST /api/servers', config, signal, ([type, data]) => {
      if (type !== 'done') return;
      toolCount = data.tool_count;
      const problems = problemsText(data);
      remarks = [...(data.warnings ?? []), ...(problems ? [`There are ${problems}.`] : [])];
    });
    const note = asTyped(remarks.join(' '), command);
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
    const failure = caught(error);
    const replaces = replacementIn(failure);
    if (replaces) return { state: 'idle', replaces, isRenaming: false };
    const risk = riskIn(failure);
    if (risk) return { state: 'idle', risk };
    const { log_tail: log = [] } = /** @type {ProvisionDetails} */ (failure.details);
    return { state: 'failed', reason: failure.message, log };
  }
}
