// @ts-check
// The frame of the page: its head, the banners for present problems, and the notices.
import { html, valueTo } from './lib/html.js';

/** @param {{ state: import('./state/page-state.js').State, onSwitch(group: string): void, onNewGroup(): void }} props */
export function Header({ state, onSwitch, onNewGroup }) {
  const { groups, group, kept } = state;
  const names = groups?.names ?? [group];
  return html`
    <header class="page-head">
      <h1><img src="/static/icon.svg" alt="" width="28" height="28" /> MCP gateway</h1>
      <div class="group-choice">
        <label class="unseen" for="group">Group</label>
        <select id="group" value=${group} onChange=${valueTo(onSwitch)}>
          ${names.map((name) => html`<option key=${name} value=${name}>${name}${Object.hasOwn(kept, name) ? ' (unsaved)' : ''}</option>`)}
        </select>
        <button type="button" onClick=${onNewGroup}>New group</button>
      </div>
      <${LiveState} state=${state} />
    </header>`;
}

/** @param {import('./state/page-state.js').State} state */
export const isLive = ({ live, reachable }) => live === 'live' && reachable;

/** @param {{ state: import('./state/page-state.js').State }} props */
function LiveState({ state }) {
  const text = isLive(state) ? 'Live' : state.live === 'starting' ? 'Connecting' : 'Not connected';
  return html`<span class=${`live ${isLive(state) ? 'good' : 'bad'}`} role="status"><i aria-hidden="true"></i>${text}</span>`;
}

/** @param {{ banners: { kind: string, text: string, key: string }[], onToken(): void }} props */
export function Banners({ banners, onToken }) {
  return html`
    <div class="banners" role="status">
      ${banners.map(
        ({ key, kind, text }) => html`
          <p key=${key} class=${`banner ${kind}`}><span class="foreign">${text}</span>
            ${key === 'token' && html`<button type="button" class="small" onClick=${onToken}>Enter the token</button>`}
          </p>`,
      )}
    </div>`;
}

/** @param {{ notices: import('./state/page-state.js').Notice[], onDismiss(id: number): void }} props */
export function Notices({ notices, onDismiss }) {
  return html`
    <div class="notices" role="status">
      ${notices.map(
        ({ id, kind, text }) => html`
          <p key=${id} class=${`banner ${kind}`}><span class="foreign">${text}</span>
            <button type="button" class="icon push" aria-label="Dismiss" onClick=${() => onDismiss(id)}>✕</button>
          </p>`,
      )}
    </div>`;
}
