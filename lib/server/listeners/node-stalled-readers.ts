import type { Socket } from 'node:net';

/**
 * Ends connections whose clients do not read: an answer that waits for its reader counts as work, so nothing else would
 * ever end them.
 */
export interface StalledReaders {
  /** Called on a timer: ends those of which nothing was taken for as long as they may take. */
  look(connections: Iterable<Socket>): void;
}

interface Waiting {
  readonly bytes: number;
  readonly since: number;
}

/** Bytes that the system has not taken yet; Node tells it of the handle only. */
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
    look(connections) {
      for (const connection of connections) if (isStalled(connection)) connection.destroy();
    },
  };
}
