// @ts-check
// The admin token, in memory only, and the one question for it. Whoever declines is not asked again until they want
// to be: the page looks after itself every few seconds.

/**
 * @param {{ onAsk(isAgain: boolean): void, onLocked(isLocked: boolean): void }} deps `onAsk`: show the question;
 *   again when a token was refused. `onLocked`: nothing
 *   is answered without the token, and it was declined.
 */
export function createAdminToken({ onAsk, onLocked }) {
  let token = '';
  let isDeclined = false;
  /** @type {{ resolve(token: string): void, reject(reason: Error): void } | undefined} */
  let waiting;

  return {
    get: () => token,
    /** @returns {Promise<string>} */
    ask() {
      if (isDeclined) return Promise.reject(declined());
      return new Promise((resolve, reject) => {
        waiting = { resolve, reject };
        onAsk(token !== '');
      });
    },
    /** @param {string} value */
    set(value) {
      token = value;
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
  return Object.assign(new Error('The admin token is needed for this.'), { code: 'unauthorized' });
}
