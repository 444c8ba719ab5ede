// @ts-check
// Restart and Delete. The effects of each, and the groups concerned, are shown before it is confirmed.
import { html, useAction, useEffect, useRef, useState } from '../lib/html.js';
import { Spinner } from '../lib/ui.js';
import { caught } from '../server-state/caught.js';
import { DataAtRisk } from '../server-state/data-at-risk.js';
import { riskIn } from '../server-state/risk.js';
import { counted } from '../server-state/server-status.js';
import { WhatGoes } from './what-goes.js';

/**
 * @typedef {{ record: import('../server-state/server-status.js').ServerDetails, api: import('../lib/api.js').Api, onClose(): void, onDone(): void, onHold(isOn: boolean): void,
 *   onNotice(notice: { kind: string, text: string }): void }} Props
 */

/** @param {Props} props `onDone`: after a restart. `onHold`: while it is being deleted. */
export function ServerActions(props) {
  const [{ asked, said }, setState] = useState(
    /** @type {{ asked: '' | 'restart' | 'delete', said: string }} */ ({ asked: '', said: '' }),
  );
  const buttons = {
    restart: useRef(/** @type {HTMLElement | null} */ (null)),
    delete: useRef(/** @type {HTMLElement | null} */ (null)),
  };
  const back = useAction((/** @type {string} */ said = '') => {
    if (asked) buttons[asked].current?.focus();
    setState({ asked: '', said });
  });
  const button = (/** @type {'restart' | 'delete'} */ action, /** @type {string} */ text) => html`
    <button type="button" ref=${buttons[action]} class=${action === 'delete' ? 'danger' : ''} aria-expanded=${asked === action}
      onClick=${() => setState({ asked: asked === action ? '' : action, said: '' })}>${text}</button>`;
  return html`
    <div class="stack">
      <div class="row">
        ${button('restart', 'Restart…')} ${button('delete', 'Delete…')}
        <div role="status">${said && html`<p class="banner good">${said}</p>`}</div>
      </div>
      ${asked === 'restart' && html`<${ConfirmRestart} ...${props} onBack=${back} />`}
      ${asked === 'delete' && html`<${ConfirmDelete} ...${props} onBack=${back} />`}
    </div>`;
}

/**
 * The outcome is shown inside the drawer: the page beneath is inert, and covered on a phone.
 * @param {Props & { onBack(said?: string): void }} props
 */
function ConfirmRestart({ record, api, onBack, onDone }) {
  const inFlight = record.in_flight
    ? `${counted(record.in_flight, 'call')} under way will fail.`
    : 'No call is under way.';
  const what = record.image
    ? 'Its container'
    : record.transport === 'stdio'
      ? 'Its process'
      : 'Its connection';
  const act = async (/** @type {boolean} */ discards) => {
    const body = discards ? { discard_data: true } : undefined;
    const { message, tool_count } = await api.call('POST /api/servers/{name}/restart', {
      path: { name: record.name },
      body,
    });
    onDone();
    onBack(`${message} It has ${counted(tool_count, 'tool')}.`);
  };
  return html`
    <${Confirm} title=${`Restart ${record.name}?`} verb="Restart" doing="Restarting" act=${act} onBack=${onBack}>
      <p>${what} ends and starts again, and its tools are listed anew. ${inFlight} Groups keep their tools.</p>
    <//>`;
}

/** @param {Props & { onBack(): void }} props */
function ConfirmDelete({ record, api, onBack, onClose, onHold, onNotice }) {
  const [forgets, setForgets] = useState(false);
  const affected = Object.entries(record.affected_groups);
  const act = async () => {
    onHold(true);
    const { message, warnings = [] } = await api
      .call('DELETE /api/servers/{name}', {
        path: { name: record.name },
        query: { forget_tools: forgets ? 'true' : undefined },
      })
      .finally(() => onHold(false));
    onNotice({ kind: 'good', text: [message, ...warnings].join(' ') });
    onClose();
    focusSoon('add-server');
  };
  return html`
    <${Confirm} title=${`Delete ${record.name}?`} verb=${`Delete ${record.name}`} doing="Deleting" danger act=${act} onBack=${onBack}>
      <p>
        ${record.image ? 'Its container is stopped and removed' : 'It is disconnected'}, its config file is deleted,
        and so are the secrets that are its own.
      </p>
      ${record.image && html`<${WhatGoes} data=${record.data} />`}
      ${
        affected.length === 0
          ? html`<p>No group uses its tools, so agents lose nothing.</p>`
          : html`<p>Agents lose the tools that their groups have of it:</p>
              <ul class="affected">${affected.map(AffectedGroup)}</ul>
              <label class="row">
                <input type="checkbox" checked=${forgets} onChange=${() => setForgets(!forgets)} />
                <span>Also forget these tools in the group files</span>
              </label>
              <small>Otherwise the files keep the names, shown as missing, and the tools are back when the server is.</small>`
      }
    <//>`;
}

/** @param {[string, readonly string[]]} entry */
function AffectedGroup([group, tools]) {
  return html`
    <li key=${group}>
      <details>
        <summary><strong class="foreign" dir="auto">${group}</strong> loses ${counted(tools.length, 'tool')}</summary>
        <p class="foreign" dir="auto">${tools.join(', ')}</p>
      </details>
    </li>`;
}

/**
 * @param {{ title: string, verb: string, doing: string, danger?: boolean, act(discards: boolean): Promise<void>, onBack(): void,
 *   children?: import('../lib/html.js').Children }} props `discards`: data may be lost, after which ones was shown.
 */
function Confirm({ title, verb, doing, danger, act, onBack, children }) {
  const [state, setState] = useState(
    /** @type {{ isBusy: boolean, problem: string, risk?: import('../server-state/risk.js').Risk }} */ ({
      isBusy: false,
      problem: '',
    }),
  );
  const heading = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => heading.current?.focus(), []);
  const run = useAction(async () => {
    if (state.isBusy) return;
    setState({ ...state, isBusy: true, problem: '' });
    await act(state.risk !== undefined).catch((/** @type {unknown} */ error) => {
      const failure = caught(error);
      const risk = riskIn(failure);
      setState({ isBusy: false, problem: risk ? '' : failure.message, risk });
    });
  });
  return html`
    <section class=${`confirm ${danger ? 'bad' : ''}`} aria-label=${title}>
      <h3 tabindex="-1" ref=${heading}>${title}</h3>
      ${!state.risk && children}
      ${state.problem && html`<p class="banner bad" role="alert">${state.problem}</p>`}
      ${state.risk && html`<${DataAtRisk} risk=${state.risk} />`}
      <div class="row">
        <button type="button" class=${danger || state.risk ? 'danger solid' : 'primary'} aria-disabled=${state.isBusy} onClick=${run}>
          ${state.isBusy ? html`<${Spinner} /> ${doing}` : state.risk ? `${verb}, and lose this data` : verb}
        </button>
        <button type="button" disabled=${state.isBusy} onClick=${() => onBack()}>${danger ? 'Keep it' : 'Cancel'}</button>
      </div>
    </section>`;
}

/** Where the server stood in the list, nothing will be left to focus. @param {string} id */
const focusSoon = (id) => requestAnimationFrame(() => document.getElementById(id)?.focus());
