/**
 * The bus of one process: delivers each message to the subscribers at once; the bus between processes
 * (`database-bus.ts`) is built on it. A subscriber that fails is logged and does not stop the others.
 */
import type { Log } from '../log.ts';
import type { Bus, BusMessage, Unsubscribe } from './bus.ts';

export interface LocalBus extends Bus {
  /** Delivers a message that another process published. */
  deliver(busMessage: BusMessage, origin: 'local' | 'remote'): void;
  /** Says that messages of other processes may have been missed. */
  reportGap(): void;
  /** All subscribers leave. */
  close(): void;
}

export function createLocalBus({ log }: { log: Log }): LocalBus {
  const subscribers = new Set<(busMessage: BusMessage, origin: 'local' | 'remote') => unknown>();
  const gapHandlers = new Set<() => unknown>();

  async function attempt(handle: () => unknown): Promise<void> {
    try {
      await handle();
    } catch (error) {
      log.error({ error }, 'A subscriber of the bus failed');
    }
  }

  function deliver(busMessage: BusMessage, origin: 'local' | 'remote'): void {
    for (const subscriber of [...subscribers]) attempt(() => subscriber(busMessage, origin));
  }

  return {
    deliver,
    reportGap() {
      for (const handler of [...gapHandlers]) attempt(handler);
    },
    publish: (busMessage) => deliver(busMessage, 'local'),
    subscribe: (handler) => addTo(subscribers, handler),
    onGap: (handler) => addTo(gapHandlers, handler),
    close() {
      subscribers.clear();
      gapHandlers.clear();
    },
  };
}

/** Wrapped, so that one function may subscribe twice and each leaves by itself. */
function addTo<Arguments extends unknown[]>(
  handlers: Set<(...values: Arguments) => unknown>,
  handler: (...values: Arguments) => unknown,
): Unsubscribe {
  const entry = (...values: Arguments) => handler(...values);
  handlers.add(entry);
  return () => {
    handlers.delete(entry);
  };
}
