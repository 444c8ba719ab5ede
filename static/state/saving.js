// @ts-check
// Save, Undo, and the two ways out of a conflict. Every write is conditional on the version that the page shows.
import { codeOf, ifMatch } from '../lib/api.js';
import { applyToTheirs, discardMine } from './receive-group.js';
import { definitionsOf, offeredNames } from './sections.js';
import { changesOf, draftAfterSave, rebase, tick, wantedTools } from './selection.js';

/** @typedef {import('./page-state.js').State} State */
/** @typedef {import('../lib/api.js').AnswerOf<'PUT /api/groups/{name}/tools'>} Answer */

/** @param {import('./page.js').Page} page */
export function createSaving({ api, store, refresh, notify, refused }) {
  /** @param {string} name @param {import('../lib/api.js').BodyOf<'PUT /api/groups/{name}/tools'>} body @param {string} [etag] */
  const put = (name, body, etag) =>
    api.call('PUT /api/groups/{name}/tools', { path: { name }, body, headers: ifMatch(etag) });

  /** A file whose tools did not change is no conflict: the second attempt uses its new version. */
  async function save(attempts = 2) {
    const { group, saved, draft, seen, tools, conflict, saving } = store.get();
    if (saved === undefined || draft.size === 0 || conflict || saving) return;
    store.set({ saving: true, undo: undefined });
    try {
      const { removed } = changesOf(draft);
      const definition_hashes = Object.fromEntries([...seen].filter(([name]) => draft.get(name)));
      const list = { tools: wantedTools(saved.tools, draft), definition_hashes };
      const answer = await put(group, list, saved.etag);
      const approved = Object.fromEntries(definitionsOf(removed, tools));
      receive(group, answer, { draft, before: saved.tools, approved });
    } catch (error) {
      store.set({ saving: false });
      await refresh('group');
      if (codeOf(error) !== 'group_changed') refused('Not saved.', error);
      else if (attempts > 1) await save(attempts - 1);
    } finally {
      store.set({ saving: false });
      void refresh('group');
    }
  }

  /** @param {string} group @param {Answer} answer @param {Omit<import('./page-state.js').Undo, 'etag'>} sent */
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
      refused('Not undone.', error);
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
