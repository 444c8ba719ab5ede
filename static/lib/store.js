// @ts-check
// One object of state for the whole page. Parts of it are replaced, never changed in place, so that a part that is
// the same object is known to be unchanged.

/**
 * @template State
 * @typedef {object} Store
 * @property {() => State} get
 * @property {(patch: Partial<State> | ((state: State) => Partial<State>)) => void} set
 * @property {(listener: () => void) => () => void} subscribe Returns the end of the subscription.
 */

/**
 * @template State
 * @param {State} initial
 * @returns {Store<State>}
 */
export function createStore(initial) {
  let state = initial;
  /** @type {Set<() => void>} */
  const listeners = new Set();
  return {
    get: () => state,
    set(patch) {
      state = { ...state, ...(typeof patch === 'function' ? patch(state) : patch) };
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
