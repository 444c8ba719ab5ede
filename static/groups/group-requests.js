// @ts-check
// The actions on a group as a whole. The caller shows failures, beside the form's fields.
import { definitionsOf, offeredNames } from '../state/sections.js';

/** The contract's pattern for group names. */
export const groupNamePattern = '[A-Za-z0-9][A-Za-z0-9._\\-]{0,63}';

/** @param {import('../state/page.js').Page} page */
export function createGroupRequests({ api, store, refresh, notify, show }) {
  const pathOf = (/** @type {string} */ name) => `/api/groups/${encodeURIComponent(name)}`;
  return {
    /** @param {{ name: string, description: string, isCopy: boolean }} options A copy takes the saved tools, as approved. */
    async create({ name, description, isCopy }) {
      const { saved, tools } = store.get();
      const known = new Set(offeredNames(tools));
      const copied = isCopy ? (saved?.tools ?? []).filter((tool) => known.has(tool)) : [];
      const definition_hashes = Object.fromEntries(definitionsOf(copied, tools));
      await api.post(pathOf(name), { description, tools: copied, definition_hashes });
      await refresh('groups');
      await show(name);
      notify('good', `Group “${name}” is created.`);
    },

    /** @param {string} description @param {string} [etag] The version that was described. */
    async describe(description, etag) {
      const { group } = store.get();
      await api.put(pathOf(group), { description }, etag ? { 'If-Match': etag } : {});
      await refresh('group');
    },

    /**
     * Unsaved ticks come along.
     * @param {string} name @param {string} [etag] The version that was looked at.
     */
    async rename(name, etag) {
      const { group } = store.get();
      store.set({ saving: true });
      try {
        const headers = etag ? { 'If-Match': etag } : undefined;
        await api.post(`${pathOf(group)}/rename`, { name }, { headers });
        store.set((state) => (state.group === group ? { group: name, undo: undefined } : {}));
        // While it is being saved, the old name is not missed.
        await refresh('groups', 'group');
      } finally {
        store.set({ saving: false });
      }
      notify('good', `Group “${group}” is called “${name}” now. Give its agents the new address.`);
    },

    async remove() {
      const { group, groups, saved } = store.get();
      store.set({ saving: true });
      try {
        await api.delete(pathOf(group));
        void show(groups?.default ?? '', { forgetting: true });
      } finally {
        store.set({ saving: false });
      }
      await refresh('groups', 'group');
      notify('good', `Group “${group}” with its ${saved?.tools.length ?? 0} tools is deleted.`);
    },
  };
}
