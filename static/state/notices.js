// @ts-check
// Notices of events. A notice of a failure stays until it is dismissed.

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

  return { notify, dismiss };
}
