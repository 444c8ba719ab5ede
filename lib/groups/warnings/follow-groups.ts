import { debounceNames } from '../../async/debounce-names.ts';
import type { Bus } from '../../events/bus.ts';
import type { Groups } from '../groups.ts';

/**
 * Looks at groups once now, and again whenever their file or what any server offers changed: behind the news, a burst at
 * a time, so that nobody waits for it.
 */
export interface GroupFollowing {
  stop(): void;
}

export function followGroups(
  { groups, bus }: { readonly groups: Pick<Groups, 'names'>; readonly bus: Bus },
  delayMs: number,
  look: (names: readonly string[]) => void,
): GroupFollowing {
  const changed = debounceNames(delayMs, look);
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
