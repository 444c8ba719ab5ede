// @ts-check
// Notices of events. A notice of a failure stays until it is dismissed.
import { codeOf, messageOf } from '../lib/api.js';

const most = 4;

/**
 * @param {import('../lib/store.js').Store<import('./page-state.js').State>} store
 * @param {number} noticeMs
 */
export function createNotices(store, noticeMs) {
  let lastId = 0;

  /** @param {number} id */
  function dismiss(id) {
    store.set(({ notices }) => ({ notices: notices.filter((notice) => notice.id !== id) }));
  }

  /** @param {string} kind @param {string} text */
  function notify(kind, text) {
    lastId += 1;
    const notice = { id: lastId, kind, text };
    store.set(({ notices }) => ({ notices: [...notices, notice].slice(-most) }));
    if (kind !== 'bad') setTimeout(() => dismiss(notice.id), noticeMs);
  }

  /**
   * A file that is managed elsewhere has a dialog of its own, with the text to put there.
   * @param {string} what What did not happen. @param {unknown} error
   */
  function refused(what, error) {
    if (codeOf(error) === 'group_read_only') store.set({ elsewhere: error });
    else notify('bad', `${what} ${messageOf(error)}`);
  }

  return { notify, dismiss, refused };
}
