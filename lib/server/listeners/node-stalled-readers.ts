import type { Socket } from 'node:net';

/** Ends connections whose clients do not read: an unread answer counts as work under way, so nothing else ends them. */
export interface StalledReaders {
  /** Called on a timer: ends those whose client has read nothing for the time limit. */
  endStalled(connections: Iterable<Socket>): void;
}

interface Waiting {
  readonly bytes: number;
  readonly since: number;
}

/** Bytes that the system has not accepted yet; Node shows their number on the handle only. */
type WithHandle = Socket & { readonly _handle?: { readonly writeQueueSize?: number } | null };

/** @param now monotonic milliseconds */
export function createStalledReaders(limitMs: number, now: () => number): StalledReaders {
  const waiting = new WeakMap<Socket, Waiting>();

  function isStalled(connection: WithHandle): boolean {
    const bytes = connection._handle?.writeQueueSize ?? 0;
    const before = waiting.get(connection);
    if (bytes > 0 && before?.bytes === bytes) return now() - before.since >= limitMs;
    if (bytes > 0) waiting.set(connection, { bytes, since: now() });
    else if (before !== undefined) waiting.delete(connection);
    return false;
  }

  return {
    endStalled(connections) {
      for (const connection of connections) if (isStalled(connection)) connection.destroy();
    },
  };
}
