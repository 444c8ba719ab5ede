// @ts-check
// The page's state and the one way to refresh it: parts are fetched by name, and a failed fetch leaves the state alone.

import { codeOf } from '../lib/api.js';
import { createRefresh } from '../lib/refresh.js';
import { createStore } from '../lib/store.js';
import { createLoads } from './loads.js';
import { createNotices } from './notices.js';
import { initialState } from './page-state.js';
import { noDraft } from './selection.js';

const mostNamed = 3;

/**
 * @typedef {import('./page-state.js').State} State
 * @typedef {import('./page-state.js').Part} Part
 * @typedef {ReturnType<typeof createPage>} Page
 */

/** @param {{ api: import('../lib/api.js').Api, preferredGroup?: string, noticeMs?: number }} deps */
export function createPage({ api, preferredGroup = '', noticeMs = 8000 }) {
  const store = createStore({ ...initialState, group: preferredGroup });
  const { notify, dismiss, refused } = createNotices(store, noticeMs);
  const loads = createLoads(api, store, leaveGroup, sayGone);
  const refresh = createRefresh(load);
  /** Parts whose last fetch failed. @type {Set<Part>} */
  const failed = new Set();

  /** @param {Part} part */
  async function load(part) {
    try {
      const isInTime = await loads[part]();
      failed.delete(part);
      store.set({ reachable: true });
      return isInTime;
    } catch (error) {
      failed.add(part);
      const code = codeOf(error);
      if (part === 'group' && code === 'group_not_found') leaveGroup();
      if (code === 'unreachable') store.set({ reachable: false });
      return true;
    }
  }

  /** The group was deleted elsewhere, unless this page is deleting it. */
  function leaveGroup() {
    const { group, groups, saving } = store.get();
    if (saving || group === groups?.default) return;
    notify('warn', `The group “${group}” is no longer there.`);
    void show(groups?.default ?? '', { forgetting: true });
    void refresh('groups');
  }

  /** @param {string[]} names */
  function sayGone(names) {
    const rest = names.length > mostNamed ? ` and ${names.length - mostNamed} more` : '';
    notify('warn', `No longer offered, tick dropped: ${names.slice(0, mostNamed).join(', ')}${rest}`);
  }

  /** @param {string} group Unsaved ticks of the group that is left are stored for its return, unless it was deleted. */
  function show(group, { forgetting = false } = {}) {
    store.set((state) => switched(state, group, forgetting));
    return refresh('group');
  }

  return { api, store, refresh, failed, notify, dismiss, refused, show };
}

/** @param {State} state @param {string} group @param {boolean} isForgetting @returns {Partial<State>} */
function switched(state, group, isForgetting) {
  const kept = { ...state.kept, [state.group]: { saved: state.saved, draft: state.draft } };
  if (isForgetting || state.draft.size === 0) delete kept[state.group];
  const own = Object.hasOwn(kept, group) ? kept[group] : undefined;
  const { saved, draft } = own ?? { saved: undefined, draft: noDraft };
  delete kept[group];
  return { group, kept, saved, draft, conflict: undefined, undo: undefined };
}
