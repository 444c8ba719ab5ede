import type { BusMessage } from '../../lib/events/bus.ts';
import { createLocalBus, type LocalBus } from '../../lib/events/local-bus.ts';
import { silentLog } from '../../lib/log.ts';

/** Two buses as two processes have them: what one publishes, the other hears as remote, a moment later. */
export function createLinkedBuses(): readonly [LocalBus, LocalBus] {
  const buses = [createLocalBus({ log: silentLog }), createLocalBus({ log: silentLog })] as const;
  const linked = (own: LocalBus, other: LocalBus): LocalBus => ({
    ...own,
    publish(busMessage: BusMessage) {
      own.publish(busMessage);
      setImmediate(() => other.deliver(busMessage, 'remote'));
    },
  });
  return [linked(buses[0], buses[1]), linked(buses[1], buses[0])];
}
