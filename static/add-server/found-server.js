// @ts-check
// One server found in a pasted text: its command or address, the server it would replace, and the outcome.
import { html } from '../lib/html.js';
import { Spinner } from '../lib/ui.js';
import { dockerLine, hostLine } from '../progress/command-line.js';
import { mayReplace } from '../progress/replacement.js';
import { DataAtRisk } from '../server-state/data-at-risk.js';
import { LastLines } from '../server-state/last-lines.js';
import { isCommand } from './pasted.js';
import { WhatIsReplaced } from './what-is-replaced.js';

/** @typedef {import('./pasted.js').Entry} Entry */

/** @param {{ entry: Entry, rules?: import('../lib/api-rules.js').Rules, isAllowed: boolean, isBusy: boolean, onChange(name: string, patch: Partial<Entry>): void }} props */
export function FoundServer({ entry, rules, isAllowed, isBusy, onChange }) {
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
      ${config && html`<code class="foreign" dir="ltr">${lineOf(config, rules)}</code>`}
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
      <${LastLines} lines=${log} reason=${reason} />
    </li>`;
}

/** @param {import('./pasted.js').Config} config @param {import('../lib/api-rules.js').Rules} [rules] */
const lineOf = (config, rules) =>
  config.url ??
  (isCommand(config) ? hostLine(config) : dockerLine(config, rules?.bodyOf('POST /api/servers')));
