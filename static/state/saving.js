// @ts-check
// Save, Undo, and the two ways out of a conflict. Every write is conditional on the version that the page shows.
import { applyToTheirs, discardMine } from './receive-group.js';
import { definitionsOf, offeredNames } from './sections.js';
import { changesOf, draftAfterSave, rebase, tick, wantedTools } from './selection.js';

/** @typedef {import('./page-state.js').State} State */

/** @param {import('./page.js').Page} page */
export function createSaving({ api, store, refresh, notify }) {
  /** @param {string} group @param {{ tools: readonly string[], definition_hashes: object }} list @param {string} [etag] */
  const put = (group, list, etag) =>
    api.put(`/api/groups/${encodeURIComponent(group)}/tools`, list, etag ? { 'If-Match': etag } : {});

  /** A file whose tools did not change is no conflict: the second attempt uses its new version. */
  async function save(attempts = 2) {
    const { group, saved, draft, seen, tools, conflict, saving } = store.get();
    if (saved === undefined || draft.size === 0 || conflict || saving) return;
    store.set({ saving: true, undo: undefined });
    try {
      const { added, removed } = changesOf(draft);
      const definition_hashes = Object.fromEntries(added.map((name) => [name, seen.get(name)]));
      const list = { tools: wantedTools(saved.tools, draft), definition_hashes };
      const answer = await put(group, list, saved.etag);
      const approved = Object.fromEntries(definitionsOf(removed, tools));
      receive(group, answer, { draft, before: saved.tools, approved });
    } catch (error) {
      store.set({ saving: false });
      await refresh('group');
      if (codeOf(error) !== 'group_changed') notify('bad', `Not saved. ${messageOf(error)}`);
      else if (attempts > 1) await save(attempts - 1);
    } finally {
      store.set({ saving: false });
      void refresh('group');
    }
  }

  /** @param {string} group @param {any} answer @param {Omit<import('./page-state.js').Undo, 'etag'>} sent */
  function receive(group, { tools, etag }, { draft, before, approved }) {
    store.set((state) => {
      if (state.group !== group || state.saved === undefined) return {};
      return {
        saved: { ...state.saved, tools, etag },
        draft: draftAfterSave(draft, state.draft, tools),
        undo: { before, etag, draft, approved },
      };
    });
  }

  /**
   * Restores every name whose tool is still listed, and the marks of changed definitions. Any failure but a changed file
   * can be tried again.
   */
  async function undo() {
    const { group, undo: last, saved, tools } = store.get();
    if (last === undefined || saved === undefined) return;
    const set = (/** @type {(state: State) => Partial<State>} */ change) =>
      store.set((state) => (state.group === group ? change(state) : {}));
    store.set({ saving: true, undo: undefined });
    try {
      const known = new Set([...saved.tools, ...offeredNames(tools)]);
      const back = last.before.filter((name) => known.has(name));
      const list = { tools: back, definition_hashes: last.approved };
      const { tools: now, etag } = await put(group, list, last.etag);
      set(({ draft }) => ({ saved: { ...saved, tools: now, etag }, draft: rebase(draft, now) }));
      notify('good', 'The last Save is undone.');
    } catch (error) {
      if (codeOf(error) !== 'group_changed')
        set(({ draft }) => ({ undo: draft.size > 0 ? undefined : last }));
      notify('bad', `Not undone. ${messageOf(error)}`);
    } finally {
      store.set({ saving: false });
      void refresh('group');
    }
  }

  return {
    save: () => save(),
    undo,
    /** @param {Iterable<string>} names @param {boolean} isOn */
    tick: (names, isOn) =>
      store.set((state) => {
        const draft = tick(state.draft, new Set(state.saved?.tools), names, isOn);
        const seen = isOn ? new Map([...state.seen, ...definitionsOf(names, state.tools)]) : state.seen;
        // An empty draft cannot be in conflict.
        return { ...(draft.size > 0 ? { draft } : discardMine(state)), seen, undo: undefined };
      }),
    discard: () => store.set(discardMine),
    applyToTheirs: () => store.set(applyToTheirs),
  };
}

/** @param {any} error */
const codeOf = (error) => error?.code;
/** @param {any} error */
const messageOf = (error) => error?.message ?? '';
