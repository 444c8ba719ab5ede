// @ts-check
// The actions on a group as a whole. The caller shows failures, beside the form's fields.
import { ifMatch } from '../lib/api.js';
import { definitionsOf, offeredNames } from '../state/sections.js';

/** @param {import('../state/page.js').Page} page */
export function createGroupRequests({ api, store, refresh, notify, show }) {
  return {
    /** @param {{ name: string, description: string, isCopy: boolean }} options A copy takes the saved tools, as approved. */
    async create({ name, description, isCopy }) {
      const { saved, tools } = store.get();
      const known = new Set(offeredNames(tools));
      const copied = isCopy ? (saved?.tools ?? []).filter((tool) => known.has(tool)) : [];
      const definition_hashes = Object.fromEntries(definitionsOf(copied, tools));
      const body = { description, tools: copied, definition_hashes };
      await api.call('POST /api/groups/{name}', { path: { name }, body });
      await refresh('groups');
      await show(name);
      notify('good', `Group “${name}” is created.`);
    },

    /** @param {string} description @param {string} [etag] The version that was described. */
    async describe(description, etag) {
      const path = { name: store.get().group };
      await api.call('PUT /api/groups/{name}', { path, body: { description }, headers: ifMatch(etag) });
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
        const asked = { path: { name: group }, body: { name }, headers: ifMatch(etag) };
        await api.call('POST /api/groups/{name}/rename', asked);
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
        await api.call('DELETE /api/groups/{name}', { path: { name: group } });
        void show(groups?.default ?? '', { forgetting: true });
      } finally {
        store.set({ saving: false });
      }
      await refresh('groups', 'group');
      notify('good', `Group “${group}” with its ${saved?.tools.length ?? 0} tools is deleted.`);
    },
  };
}
