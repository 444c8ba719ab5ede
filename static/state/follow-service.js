// @ts-check
// Keeps the page fresh: messages name what to fetch; a slow poll covers counters and outages, for which there are none.
import { createEvents } from '../lib/events.js';

const pollMs = 15_000;
const impatientMs = 2_000;

/** @param {import('./page.js').Page} page @param {() => string} getToken */
export function followService({ store, refresh, failed }, getToken) {
  const everything = () => refresh('status', 'groups', 'servers', 'group');
  // The first fetch waits for the event stream, so that no change is missed in between; without a stream it starts at once.
  const first = setTimeout(everything, impatientMs / 4);
  poll();
  return createEvents({ getToken, onEvent: receive, onState });

  /** @param {import('../lib/events.js').ServiceEvent} event */
  function receive({ type, name, etag }) {
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
    // The version alone is not enough: a broken file goes on serving its last good version. Until the first answer names the
    // default group, each group may be the one that is being fetched.
    if (name === group || group === '') void refresh('group');
  }

  /**
   * The group was deleted or was never readable; a deleted group is not fetched. A page that deletes or renames it fetches
   * what comes next itself, once that is answered.
   * @param {string} name
   */
  async function hearOfLostGroup(name) {
    await refresh('groups');
    const { group, saving } = store.get();
    if (group === name && !saving) void refresh('group');
  }

  /** @param {'live' | 'lost' | 'starting'} live */
  function onState(live) {
    clearTimeout(first);
    store.set({ live });
    if (live === 'live' || !store.get().isLoaded) void everything();
  }

  /** A hidden page that is well fetches nothing. A page that was slow to load is not loaded a second time. */
  function poll() {
    setTimeout(
      async () => {
        if (!isWell()) await everything();
        else if (!document.hidden) await refresh('status', 'servers', ...failed);
        poll();
      },
      isWell() ? pollMs : impatientMs,
    );
  }

  function isWell() {
    const { isLoaded, reachable } = store.get();
    return isLoaded && reachable;
  }
}
