// @ts-check
// One server in full: its state, its config, its calls, its log, and the actions on it.
import { html, useAction, useEffect, useInterval, useRef, useState } from '../lib/html.js';
import { Drawer, Spinner } from '../lib/ui.js';
import { caught } from '../server-state/caught.js';
import { DefinitionProblems } from '../server-state/definition-problems.js';
import { LastLines } from '../server-state/last-lines.js';
import { counted, statusOf, troubleOf, uptimeText } from '../server-state/server-status.js';
import { LogTail } from './log-tail.js';
import { ServerActions } from './server-actions.js';
import { RecentCalls, ServerFacts, ServerVariables } from './server-facts.js';
import { ServerImage } from './server-image.js';

/** @typedef {import('../server-state/server-status.js').ServerDetails} ServerDetails */

const refreshMs = 3_000;

/**
 * @param {{ name: string, api: import('../lib/api.js').Api, changes: number, onClose(): void,
 *   onNotice(notice: { kind: string, text: string }): void }} props `changes` grows with each message about this server.
 */
export function ServerDetails({ name, api, changes, onClose, onNotice }) {
  const { record, problem, load, hold } = useRecord(api, name, changes);
  return html`
    <${Drawer} title=${name} onClose=${onClose}>
      ${problem && html`<p class="banner bad" role="alert">${problem}</p>`}
      ${record === undefined && !problem && html`<p class="row soft"><${Spinner} /> Loading</p>`}
      ${
        record &&
        html`<${ServerHead} record=${record} />
          <${ServerActions} record=${record} api=${api} onClose=${onClose} onNotice=${onNotice} onDone=${load} onHold=${hold} />
          <${ServerImage} record=${record} api=${api} onDone=${load} />
          <${ServerFacts} record=${record} />
          <${ServerVariables} record=${record} />
          <${RecentCalls} record=${record} />
          <${LogTail} key=${name} name=${name} api=${api} />`
      }
    <//>`;
}

/**
 * A server that is being deleted is not fetched again, since it may already be gone.
 * @param {import('../lib/api.js').Api} api @param {string} name @param {number} changes
 */
function useRecord(api, name, changes) {
  const isHeld = useRef(false);
  const [state, setState] = useState(
    /** @type {{ record?: ServerDetails, problem: string }} */ ({ problem: '' }),
  );
  const hold = useAction((/** @type {boolean} */ isOn) => {
    isHeld.current = isOn;
  });
  const load = useAction(async () => {
    if (isHeld.current) return;
    try {
      const { server } = await api.call('GET /api/servers/{name}', { path: { name } });
      setState({ record: server, problem: '' });
    } catch (error) {
      const problem = caught(error).message;
      setState((before) => ({ record: before.record, problem }));
    }
  });
  useEffect(() => void load(), [name, changes]);
  useInterval(load, refreshMs);
  return { ...state, load, hold };
}

/** @param {{ record: ServerDetails }} props */
function ServerHead({ record }) {
  const { kind, word } = statusOf(record);
  const worst = troubleOf(record);
  const isLine = worst === record.last_error_line;
  const trouble = isLine ? record.last_error : worst;
  const facts = [counted(record.tool_count, 'tool'), uptimeText(record.connected_at)]
    .filter(Boolean)
    .join(' · ');
  return html`
    <div class="server-head">
      <p class="row">
        <span class=${`dot ${kind}`} aria-hidden="true"></span>
        <strong class=${`server-state ${kind}`}>${word}</strong>
        <span class="soft">${facts}</span>
      </p>
      ${record.description && html`<${LongText} text=${record.description} />`}
      ${
        trouble &&
        html`<p class=${`banner foreign ${kind === 'bad' ? 'bad' : ''}`} dir="auto">
          ${isLine && html`<strong>${worst}</strong>`}${trouble}
        </p>`
      }
      <${LastLines} lines=${record.last_error_lines} line=${isLine ? worst : undefined} />
      <${DefinitionProblems} record=${record} />
    </div>`;
}

const shortText = 160;

/** @param {{ text: string }} props */
function LongText({ text }) {
  const [isOpen, setOpen] = useState(false);
  return html`
    <p class=${`foreign ${isOpen ? '' : 'clamp'}`} dir="auto">${text}</p>
    ${
      text.length > shortText &&
      html`<button type="button" class="plain" aria-expanded=${isOpen} onClick=${() => setOpen(!isOpen)}>
        ${isOpen ? 'Show less' : 'Show all'}
      </button>`
    }`;
}
