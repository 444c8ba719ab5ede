// @ts-check
// The admin token, stored for this tab until it is closed, and the one question for it. A person who declines is not asked
// again by the page's own fetches, which run every few seconds.

import { ApiFailure } from './api.js';

const key = 'admin-token';

/**
 * @param {{ onAsk(isAgain: boolean): void, onLocked(isLocked: boolean): void, kept?: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> }} deps
 *   `onAsk`: show the question; again when a token was refused. `onLocked`: nothing is answered without the token, and it
 *   was declined. `kept`: over a reload; absent where the browser keeps nothing.
 */
export function createAdminToken({ onAsk, onLocked, kept }) {
  let token = kept?.getItem(key) ?? '';
  let isDeclined = false;
  /** @type {{ resolve(token: string): void, reject(reason: Error): void } | undefined} */
  let waiting;

  return {
    get: () => token,
    /** @returns {Promise<string>} */
    ask() {
      kept?.removeItem(key);
      if (isDeclined) return Promise.reject(declined());
      return new Promise((resolve, reject) => {
        waiting = { resolve, reject };
        onAsk(token !== '');
      });
    },
    /** @param {string} value */
    set(value) {
      token = value;
      kept?.setItem(key, value);
      isDeclined = false;
      onLocked(false);
      waiting?.resolve(value);
      waiting = undefined;
    },
    decline() {
      isDeclined = true;
      onLocked(true);
      waiting?.reject(declined());
      waiting = undefined;
    },
  };
}

function declined() {
  return new ApiFailure({ code: 'unauthorized', message: 'The admin token is needed for this.' });
}

/** Undefined where the browser refuses to keep anything. */
export function storageOfTab() {
  try {
    return sessionStorage;
  } catch {
    return undefined;
  }
}
