import { unavailable } from '../upstream-failures.ts';

/** Processes and sockets on their way out: they no longer matter to anyone but to who waits until all are gone. */
export interface PendingCloses {
  add(closing: Promise<void>): void;
  /** Resolves when none is left. */
  all(): Promise<void>;
}

export function createPendingCloses(): PendingCloses {
  const pendingCloses = new Set<Promise<void>>();
  return {
    add(closing) {
      const tracked = closing.finally(() => pendingCloses.delete(tracked));
      pendingCloses.add(tracked);
    },
    async all() {
      while (pendingCloses.size > 0) await Promise.all(pendingCloses);
    },
  };
}

/** What of one server is on its way out. Its next start waits for that, so that two of it never meet. */
export interface ServerCloses extends PendingCloses {
  /** Rejects with the reason of `signal` once that is aborted, and with a failure when it takes too long. */
  untilGone(signal: AbortSignal): Promise<void>;
}

/** Longer than a process or container is given to end by itself. */
const waitMs = 30_000;

export function createServerCloses(server: string): ServerCloses {
  const pendingCloses = createPendingCloses();

  return {
    ...pendingCloses,
    async untilGone(signal) {
      let giveUp: (reason: unknown) => void = () => {};
      const givenUp = new Promise<never>((_, reject) => {
        giveUp = reject;
      });
      const onAbort = () => giveUp(signal.reason);
      const timer = setTimeout(() => giveUp(unavailable(server, 'it does not end')), waitMs);
      signal.addEventListener('abort', onAbort);
      try {
        await Promise.race([pendingCloses.all(), givenUp]);
      } finally {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
      }
    },
  };
}
