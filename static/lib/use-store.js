// @ts-check
import { useEffect, useRef, useState } from './html.js';

/**
 * The selector's value of the store; the component is drawn again when the value changes.
 * @template State, Part
 * @param {import('./store.js').Store<State>} store
 * @param {(state: State) => Part} selector
 * @returns {Part}
 */
export function useStore(store, selector) {
  const [, draw] = useState(0);
  const part = selector(store.get());
  const drawn = useRef({ part, selector });
  drawn.current = { part, selector };
  useEffect(() => {
    const look = () => {
      if (drawn.current.selector(store.get()) !== drawn.current.part) draw((count) => count + 1);
    };
    look();
    return store.subscribe(look);
  }, [store]);
  return part;
}
