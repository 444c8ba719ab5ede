// @ts-check
// Keeps the page fresh: news name what to fetch, a slow poll covers what no news tell (counters, what is down).
import { createEvents } from '../lib/events.js';

const pollMs = 15_000;
const impatientMs = 2_000;

/** @param {import('./page.js').Page} page @param {() => string} getToken */
export function followService({ store, refresh, failed }, getToken) {
  const everything = () => refresh('status', 'groups', 'servers', 'group');
  // Fetched once the news are followed, so that nothing is missed in between; at once when they cannot be.
  const first = setTimeout(everything, impatientMs / 4);
  poll();
  return createEvents({ getToken, onEvent: hear, onState });

  /** @param {import('../lib/events.js').ServiceEvent} event */
  function hear({ type, name, etag }) {
    if (type === 'group') void hearOfGroup(name, etag);
    else if (type === 'tools') void refresh('servers', 'group');
    else void refresh('servers');
    if (type !== 'group') {
      store.set(({ changes }) => ({ changes: { ...changes, [name]: (changes[name] ?? 0) + 1 } }));
    }
  }

  /** @param {string} name @param {string} [etag] */
  function hearOfGroup(name, etag) {
    const { groups, group } = store.get();
    if (etag === undefined) return void hearOfLostGroup(name);
    if (!groups?.names.includes(name)) void refresh('groups');
    // The version alone does not tell: a file that broke keeps serving its last good one.
    if (name === group) void refresh('group');
  }

  /** Deleted, or never readable; what is deleted is not asked for. @param {string} name */
  async function hearOfLostGroup(name) {
    await refresh('groups');
    if (store.get().group === name) void refresh('group');
  }

  /** @param {'live' | 'lost' | 'starting'} live */
  function onState(live) {
    clearTimeout(first);
    store.set({ live });
    if (live === 'live' || !store.get().isLoaded) void everything();
  }

  /** Nothing is asked for while nobody looks. */
  function poll() {
    const { isLoaded, reachable } = store.get();
    const isWell = isLoaded && reachable;
    setTimeout(
      async () => {
        if (!document.hidden || !isWell)
          await (isWell ? refresh('status', 'servers', ...failed) : everything());
        poll();
      },
      isWell ? pollMs : impatientMs,
    );
  }
}
