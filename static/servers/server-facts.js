// @ts-check
// The config of a server as people changed it last, and its last calls.
import { html } from '../lib/html.js';
import { timeAgo } from '../lib/time-ago.js';
import { Badge } from '../lib/ui.js';
import { callsText, counted } from '../server-state/server-status.js';
import { transportWords } from '../server-state/transport-words.js';

/** @typedef {import('../server-state/server-status.js').ServerDetails} ServerDetails */
/** @typedef {NonNullable<ServerDetails['config']>} Config */

/** @param {{ record: ServerDetails }} props */
export function ServerFacts({ record }) {
  const { limits, timeouts } = record;
  /** @type {Partial<Config>} */
  const config = record.config ?? {};
  /** @type {[string, import('../lib/html.js').Children][]} */
  const facts = [
    ['Image', record.image && html`${code(record.image)}${pullText(config.pull)}`],
    ['Container', code(record.container_name)],
    ['Entrypoint', code(config.entrypoint?.join(' '))],
    ['Command', code(record.command_line)],
    ['Volumes', config.volumes && html`<${Volumes} volumes=${config.volumes} />`],
    ['Address', code(record.url ?? config.url)],
    ['Transport', transportText(record.transport, config)],
    ['Calls', `${callsText(record)}${record.in_flight ? `, ${record.in_flight} under way` : ''}`],
    ['Limits', limits && limitsText(limits, record.image !== undefined, config)],
    [
      'Time limits',
      timeouts && `${seconds(timeouts.call_ms)} a call, ${seconds(timeouts.start_ms)} to start`,
    ],
  ];
  return html`
    <dl class="facts">
      ${facts.map(([term, fact]) => fact && html`<div key=${term}><dt>${term}</dt><dd>${fact}</dd></div>`)}
    </dl>`;
}

/** @param {string | undefined} text */
const code = (text) => text && html`<code class="foreign" dir="ltr">${text}</code>`;

/** @param {ServerDetails['transport']} transport @param {Partial<Config>} config */
function transportText(transport, { port, path }) {
  const name = transport && transportWords[transport];
  return name && port ? `${name}, port ${port}, path ${path}` : name;
}

/** @param {NonNullable<ServerDetails['limits']>} limits @param {boolean} isContainer @param {Partial<Config>} config */
function limitsText({ calls, queue, memory_mb, cpus, pids }, isContainer, config) {
  const concurrent = `${counted(calls, 'call')} at once, ${queue} waiting`;
  if (!isContainer) return concurrent;
  const isolation = [
    config.shm_mb && `${config.shm_mb} MB shared memory`,
    config.network === 'none' && 'no network',
    config.read_only && 'read-only',
    config.capabilities && `may ${config.capabilities.join(', ')}`,
  ].filter(Boolean);
  return [`${memory_mb} MB, ${cpus} CPU, ${pids} processes`, concurrent, ...isolation].join('; ');
}

/** @type {Record<string, string>} */
const pulls = { missing: 'only when it is not here', never: 'never' };
/** @param {string | undefined} pull */
const pullText = (pull) => (pull && pulls[pull] ? `, pulled ${pulls[pull]}` : '');

/** @param {{ volumes: NonNullable<Config['volumes']> }} props */
function Volumes({ volumes }) {
  return html`
    <ul class="volumes">
      ${volumes.map(
        ({ path, source, read_only }) => html`
          <li key=${path}>
            ${code(path)} ${source ? html`from ${code(source)}` : 'of its own'}${read_only ? ', read-only' : ''}
          </li>`,
      )}
    </ul>`;
}

/** @param {number} ms */
const seconds = (ms) => `${(ms / 1000).toLocaleString('en')} s`;

/** Names of variables and headers, never a value. @param {{ record: ServerDetails }} props */
export function ServerVariables({ record }) {
  const { config, missing_variables: missing = [] } = record;
  const names = [...(config?.env ?? []), ...(config?.headers ?? [])];
  if (config?.has_bearer_token) names.push('Bearer token');
  if (names.length + missing.length === 0) return null;
  return html`
    <section aria-label="Variables">
      <h3>Variables</h3>
      <ul class="chips">
        ${names.map((name) => html`<li key=${name}><code class="foreign">${name}</code></li>`)}
        ${missing.map(
          (name) =>
            html`<li key=${`missing ${name}`} class="warn"><code class="foreign">${name}</code> has no value</li>`,
        )}
      </ul>
      <small>${missing.length > 0 ? 'Give the missing ones a value in the secrets, then restart. ' : ''}Values are never shown.</small>
    </section>`;
}

/** @type {Record<string, [string, string]>} */
const outcomes = {
  ok: ['good', 'OK'],
  tool_error: ['warn', 'Tool error'],
  rpc_error: ['bad', 'Protocol error'],
  cancelled: ['quiet', 'Cancelled'],
};

/** @param {{ record: ServerDetails }} props */
export function RecentCalls({ record }) {
  const calls = record.recent_calls ?? [];
  return html`
    <section aria-label="Recent calls">
      <h3>Recent calls</h3>
      ${
        calls.length === 0
          ? html`<p class="soft">None since the service started.</p>`
          : html`<div class="calls" tabindex="0" role="group" aria-label="Recent calls">
              <table>
                <thead><tr><th>Tool</th><th>Outcome</th><th>Took</th><th>When</th></tr></thead>
                <tbody>${calls.map(CallRow)}</tbody>
              </table>
            </div>`
      }
    </section>`;
}

/** @param {NonNullable<ServerDetails['recent_calls']>[number]} call */
function CallRow({ at, tool, outcome, milliseconds, tried }) {
  const [kind, word] = outcomes[outcome] ?? ['bad', outcome.replaceAll('_', ' ')];
  return html`
    <tr key=${`${at} ${tool}`}>
      <td class="foreign">${tool} ${tried && html`<${Badge} text="tried" title="No agent made this call: somebody tried the tool" />`}</td>
      <td><span class=${`server-state ${kind}`}>${word}</span></td>
      <td>${Math.round(milliseconds).toLocaleString('en')} ms</td>
      <td class="soft">${timeAgo(at)}</td>
    </tr>`;
}
