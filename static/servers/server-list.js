// @ts-check
// All servers in short. Every line has its place from the start, so that updates move nothing.
import { html, memo, useInterval, useState } from '../lib/html.js';
import {
  callsText,
  counted,
  problemsText,
  statusOf,
  troubleOf,
  uptimeText,
} from '../server-state/server-status.js';

const clockMs = 30_000;

/** @param {{ servers: import('../server-state/server-status.js').ServerRecord[], onOpen(name: string): void, onAdd(): void }} props */
export function ServerList({ servers, onOpen, onAdd }) {
  const [now, setNow] = useState(Date.now());
  useInterval(() => setNow(Date.now()), clockMs);
  return html`
    <section class="servers" aria-labelledby="servers-title">
      <header class="servers-head">
        <h2 id="servers-title">Servers <span class="soft">${servers.length || ''}</span></h2>
        <button type="button" class="small push" id="add-server" onClick=${onAdd}>+ Add MCP Server</button>
      </header>
      ${
        servers.length === 0
          ? html`<p class="soft servers-none">No server yet. Add one, and its tools appear here.</p>`
          : html`<ul class="server-list">
              ${servers.map((server) => html`<${ServerRow} key=${server.name} server=${server} now=${now} onOpen=${onOpen} />`)}
            </ul>`
      }
    </section>`;
}

const ServerRow = memo(
  /** @param {{ server: import('../server-state/server-status.js').ServerRecord, now: number, onOpen(name: string): void }} props */
  ({ server, now, onOpen }) => {
    const { kind, word } = statusOf(server);
    const trouble = troubleOf(server);
    const facts = [callsText(server), uptimeText(server.connected_at, now)].filter(Boolean).join(' · ');
    const about = trouble || server.description;
    const problems = problemsText(server);
    return html`
      <li>
        <button type="button" class="server-row" data-server=${server.name} onClick=${() => onOpen(server.name)}>
          <span class=${`dot ${kind}`} aria-hidden="true"></span>
          <span class="server-name foreign" dir="auto">${server.name}</span>
          <span class="server-tools">${counted(server.tool_count, 'tool')}</span>
          <span class="server-facts"><b class=${`server-state ${kind}`}>${word}</b><span>${facts}</span></span>
          ${about && html`<span class=${`server-about foreign ${trouble ? 'trouble clamp' : ''}`} dir="auto">${about}</span>`}
          ${problems && html`<span class="server-about server-state warn">${problems}</span>`}
        </button>
      </li>`;
  },
);
