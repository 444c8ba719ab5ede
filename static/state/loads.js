// @ts-check
// How each part of what the page knows is fetched and taken in.

import { keepSame } from '../lib/keep-same.js';
import { receiveGroup } from './receive-group.js';
import { withoutGone } from './selection.js';

/**
 * @param {import('../lib/api.js').Api} api
 * @param {import('../lib/store.js').Store<import('./page-state.js').State>} store
 * @param {() => void} onGroupGone The group that is shown is no longer in the list.
 * @param {(names: string[]) => void} onTicksGone What was ticked is offered by nobody any more.
 * @returns {Record<import('./page-state.js').Part, () => Promise<boolean>>} Each resolves with whether it was in time;
 *   a look that was overtaken has to be taken again.
 */
export function createLoads(api, store, onGroupGone, onTicksGone) {
  return {
    async status() {
      const status = await api.get('/api/status');
      store.set((state) => ({ status: keepSame(state.status, status) }));
      return true;
    },
    async servers() {
      const { servers } = await api.get('/api/servers');
      store.set((state) => ({ servers: keepSame(state.servers, servers) }));
      return true;
    },
    async groups() {
      const { groups, default: main, gateway_url: gatewayUrl } = await api.get('/api/groups');
      const known = { names: groups, default: main, gatewayUrl };
      const { group, groups: before } = store.get();
      store.set((state) => ({
        groups: keepSame(state.groups, known),
        kept: Object.fromEntries(Object.entries(state.kept).filter(([name]) => groups.includes(name))),
      }));
      if (before?.names.includes(group) && !groups.includes(group)) onGroupGone();
      return true;
    },
    group: () => loadGroup(api, store, onTicksGone),
  };
}

/**
 * A look from before a Save or a switch that comes in after it says nothing.
 * @param {import('../lib/api.js').Api} api
 * @param {import('../lib/store.js').Store<import('./page-state.js').State>} store
 * @param {(names: string[]) => void} onTicksGone
 */
async function loadGroup(api, store, onTicksGone) {
  const { group, saved } = store.get();
  const query = group && `?group=${encodeURIComponent(group)}`;
  const [{ servers }, current] = await Promise.all([
    api.get(`/api/tools${query}`),
    api.get(`/api/current${query}`),
  ]);
  const now = store.get();
  if (now.group !== group || now.saved !== saved) return false;
  const listed = new Set(Object.values(servers).flatMap(namesOf));
  // What was sent stays until the answer to it is here.
  const draft = now.saving ? now.draft : withoutGone(now.draft, listed);
  store.set(taken({ ...now, draft }, servers, current));
  const gone = [...now.draft.keys()].filter((name) => !draft.has(name));
  if (gone.length > 0) onTicksGone(gone);
  return true;
}

/**
 * While a Save is under way the answer to it says what is saved, not a look from before or after.
 * @param {import('./page-state.js').State} state @param {any} tools @param {any} current
 * @returns {Partial<import('./page-state.js').State>}
 */
function taken(state, tools, current) {
  const { group, tools: names, etag, description, problem, warnings } = current;
  const loaded = { tools: names, etag, description, problem, warnings };
  const next = state.saving ? {} : receiveGroup(state, keepSame(state.saved, loaded));
  // A Save that somebody built upon can no longer be taken back.
  const undo = state.saving || state.undo?.etag === etag ? state.undo : undefined;
  return { ...next, undo, group, tools: keepSame(state.tools, tools), isLoaded: true };
}

/** @param {import('./sections.js').Tool[]} list */
const namesOf = (list) => list.map(({ name }) => name);
