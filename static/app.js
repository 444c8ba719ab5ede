// @ts-check
// Puts the page together: its state, the fetching of that state, and the components that draw it.
import { ConnectPanel } from './groups/connect-panel.js';
import { GroupHead } from './groups/group-head.js';
import { createAdminToken, storageOfTab } from './lib/admin-token.js';
import { createApi } from './lib/api.js';
import { html, render, useAction, useEffect, useLayoutEffect, useMemo, useState } from './lib/html.js';
import { lazyDialog, lazyPart } from './lib/lazy.js';
import { useStore } from './lib/use-store.js';
import { OpenDialog } from './open-dialog.js';
import { ServerList } from './servers/server-list.js';
import { Banners, Header, isLive, Notices } from './shell.js';
import { bannersOf } from './state/banners.js';
import { followService } from './state/follow-service.js';
import { createPage } from './state/page.js';
import { createSaving } from './state/saving.js';
import { SaveBar } from './tools/save-bar.js';
import { Starting } from './tools/starting.js';
import { ToolPanel } from './tools/tool-panel.js';

/** @typedef {import('./open-dialog.js').PlainKind} PlainKind */

const token = createAdminToken({
  onAsk: (isAgain) => page.store.set({ isAsking: true, isRefused: isAgain }),
  onLocked: (isLocked) => page.store.set({ isLocked, isAsking: false }),
  kept: storageOfTab(),
});
const api = createApi({ getToken: token.get, askForToken: token.ask });
const page = createPage({ api, preferredGroup: location.hash.slice(1) });
const saving = createSaving(page);

const TokenDialog = lazyDialog(async () => (await import('./token-dialog.js')).TokenDialog);
const FileElsewhereDialog = lazyDialog(
  async () => (await import('./groups/file-elsewhere.js')).FileElsewhereDialog,
);
const FirstStep = lazyPart(async () => (await import('./tools/first-step.js')).FirstStep);
const ConflictView = lazyPart(async () => (await import('./tools/conflict.js')).ConflictView);

/** @param {string} value */
function setToken(value) {
  token.set(value);
  following.retry();
  void page.refresh('status', 'groups', 'servers', 'group');
}

function App() {
  const state = useStore(page.store, (all) => all);
  const [open, setOpen] = useState(/** @type {import('./open-dialog.js').Open | undefined} */ (undefined));
  const openServer = useAction((/** @type {string} */ name) => setOpen({ kind: 'server', name }));
  const endpoint = endpointOf(state);
  const close = () => setOpen(undefined);
  const dismissFile = () => page.store.set({ elsewhere: undefined });
  /** @param {PlainKind} kind */
  const show = (kind) => () => setOpen({ kind });
  useMemory(state);
  return html`
    <${Header} state=${state} onSwitch=${page.show} onNewGroup=${show('new-group')} />
    <${Banners} banners=${bannersOf(state)} onToken=${() => page.store.set({ isAsking: true })} />
    <div class="columns">
      <aside class="left" aria-label="Servers">
        ${state.isLoaded && html`<${ServerList} servers=${state.servers} onOpen=${openServer} onAdd=${show('add')} />`}
      </aside>
      <${Main} state=${state} setOpen=${setOpen} />
      <aside class="right" aria-label="Agents">
        ${state.group && html`<${ConnectPanel} group=${state.group} api=${api} endpoint=${endpoint} isLive=${isLive(state)} />`}
      </aside>
    </div>
    <${Notices} notices=${state.notices} onDismiss=${page.dismiss} />
    <${SaveBar} draft=${state.draft} undo=${state.undo} saving=${state.saving} isBlocked=${state.conflict !== undefined}
      onReview=${() => document.getElementById('conflict-title')?.focus()} onSave=${saving.save} onDiscard=${saving.discard} onUndo=${saving.undo} />
    ${open && html`<${OpenDialog} open=${open} state=${state} endpoint=${endpoint} page=${page} onClose=${close} />`}
    ${state.elsewhere && html`<${FileElsewhereDialog} error=${state.elsewhere} onClose=${dismissFile} />`}
    ${state.isAsking && html`<${TokenDialog} isRefused=${state.isRefused} onToken=${setToken} onClose=${token.decline} />`}`;
}

/** @param {{ state: import('./state/page-state.js').State, setOpen(open: import('./open-dialog.js').Open): void }} props */
function Main({ state, setOpen }) {
  const { saved, draft, conflict } = state;
  const members = useMemo(() => new Set(saved?.tools), [saved?.tools]);
  const selection = useMemo(() => ({ draft, saved: members }), [draft, members]);
  /** @type {import('./tools/tool-row.js').ToolActions} */
  const actions = {
    onTick: saving.tick,
    onReview: (tool) => setOpen({ kind: 'change', tool }),
    onTry: (tool) => setOpen({ kind: 'try', tool }),
    page: () => page,
  };
  /** @param {PlainKind} kind */
  const openPlain = (kind) => setOpen({ kind });
  if (!state.isLoaded) return html`<main tabindex="-1"><${Starting} /></main>`;
  const isEmpty = state.servers.length === 0 && Object.keys(state.tools).length === 0;
  return html`
    <main tabindex="-1">
      <${GroupHead} state=${state} selection=${selection} onOpen=${openPlain} />
      ${
        conflict &&
        html`<${ConflictView} saved=${saved} theirs=${conflict.theirs} draft=${draft} onApply=${saving.applyToTheirs}
          onDiscard=${saving.discard} />`
      }
      ${
        isEmpty
          ? html`<${FirstStep} onAdd=${() => openPlain('add')} />`
          : html`<${ToolPanel} tools=${state.tools} servers=${state.servers} selection=${selection} actions=${actions} reveal=${state.reveal} />`
      }
    </main>`;
}

/** A reload shows the same group, and leaving asks while something is unsaved. @param {import('./state/page-state.js').State} state */
function useMemory({ group, groups, draft, kept }) {
  const hasUnsaved = draft.size > 0 || Object.keys(kept).length > 0;
  useEffect(() => {
    if (groups) history.replaceState(null, '', group === groups.default ? location.pathname : `#${group}`);
  }, [group, groups]);
  useLayoutEffect(() => {
    const ask = (/** @type {Event} */ event) => event.preventDefault();
    if (hasUnsaved) addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [hasUnsaved]);
}

/** @param {import('./state/page-state.js').State} state */
function endpointOf({ status, groups, group }) {
  const base = status?.gateway_url ?? groups?.gatewayUrl ?? '';
  return `${base}/v0/groups/${group}/mcp`;
}

render(html`<${App} />`, /** @type {HTMLElement} */ (document.getElementById('app')));
const following = followService(page, token.get);
