import { debounceNames } from '../../async/debounce-names.ts';
import type { Bus } from '../../events/bus.ts';
import type { Groups } from '../groups.ts';

/**
 * Calls `onChange` with all groups now, and again with those whose file changed, or with all when the features of any
 * server did: some time after the bus messages, once per burst, so that publishers do not wait for it.
 */
export interface GroupFollowing {
  stop(): void;
}

export function followGroups(
  { groups, bus }: { readonly groups: Pick<Groups, 'names'>; readonly bus: Bus },
  delayMs: number,
  onChange: (names: readonly string[]) => void,
): GroupFollowing {
  const changed = debounceNames(delayMs, onChange);
  const addAll = () => {
    for (const name of groups.names()) changed.add(name);
  };
  const unsubscribe = bus.subscribe((busMessage) => {
    if (busMessage.type === 'group') changed.add(busMessage.name);
    else if (busMessage.type === 'tools' || busMessage.type === 'offers') addAll();
  });
  addAll();
  return {
    stop() {
      changed.stop();
      unsubscribe();
    },
  };
}
