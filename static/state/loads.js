// @ts-check
// How each part of the page's state is fetched and applied.

import { keepSame } from '../lib/keep-same.js';
import { receiveGroup } from './receive-group.js';
import { withoutGone } from './selection.js';

/**
 * @param {import('../lib/api.js').Api} api
 * @param {import('../lib/store.js').Store<import('./page-state.js').State>} store
 * @param {() => void} onGroupGone The group that is shown is no longer in the list.
 * @param {(names: string[]) => void} onTicksGone Ticked tools that no server lists now.
 * @returns {Record<import('./page-state.js').Part, () => Promise<boolean>>} Each resolves with false when a newer
 *   change overtook the fetch, which is then repeated.
 */
export function createLoads(api, store, onGroupGone, onTicksGone) {
  return {
    async status() {
      const status = await api.call('GET /api/status');
      store.set((state) => ({ status: keepSame(state.status, status) }));
      return true;
    },
    async servers() {
      const { servers } = await api.call('GET /api/servers');
      store.set((state) => ({ servers: keepSame(state.servers, servers) }));
      return true;
    },
    async groups() {
      const { groups, default: main, gateway_url: gatewayUrl } = await api.call('GET /api/groups');
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
 * An answer to a fetch from before a Save or a toggle is ignored when it arrives after it.
 * @param {import('../lib/api.js').Api} api
 * @param {import('../lib/store.js').Store<import('./page-state.js').State>} store
 * @param {(names: string[]) => void} onTicksGone
 */
async function loadGroup(api, store, onTicksGone) {
  const { group, saved } = store.get();
  const query = { group: group || undefined };
  const [{ servers }, current] = await Promise.all([
    api.call('GET /api/tools', { query }),
    api.call('GET /api/current', { query }),
  ]);
  const now = store.get();
  if (now.group !== group || now.saved !== saved) return false;
  const listed = new Set(
    Object.values(servers)
      .flat()
      .map(({ name }) => name),
  );
  // The list that a Save sent stays shown until the answer arrives.
  const draft = now.saving ? now.draft : withoutGone(now.draft, listed);
  store.set(taken({ ...now, draft }, servers, current));
  const gone = [...now.draft.keys()].filter((name) => !draft.has(name));
  if (gone.length > 0) onTicksGone(gone);
  return true;
}

/**
 * While a Save is under way its own answer says what is saved, not a fetch from before or after it.
 * @param {import('./page-state.js').State} state
 * @param {import('./sections.js').Tools} tools
 * @param {import('../lib/api.js').AnswerOf<'GET /api/current'>} current
 * @returns {Partial<import('./page-state.js').State>}
 */
function taken(state, tools, current) {
  const { group, tools: names, etag, description, problem, warnings, read_only } = current;
  const loaded = { tools: names, etag, description, problem, warnings, read_only };
  const next = state.saving ? {} : receiveGroup(state, keepSame(state.saved, loaded));
  // A Save on top of which the group was changed can no longer be undone.
  const undo = state.saving || state.undo?.etag === etag ? state.undo : undefined;
  return { ...next, undo, group, tools: keepSame(state.tools, tools), isLoaded: true };
}
