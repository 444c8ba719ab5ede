import { unavailable } from '../upstream-failures.ts';
import { type Closings, createClosings } from './closings.ts';

/** What of one server is on its way out. Its next start waits for that, so that two of it never meet. */
export interface Endings extends Closings {
  /** Rejects with the reason of `signal` once that is aborted, and with a failure when it takes too long. */
  untilGone(signal: AbortSignal): Promise<void>;
}

/** Longer than a process or container is given to end by itself. */
const waitMs = 30_000;

export function createEndings(server: string): Endings {
  const closings = createClosings();

  return {
    ...closings,
    async untilGone(signal) {
      let giveUp: (reason: unknown) => void = () => {};
      const givenUp = new Promise<never>((_, reject) => {
        giveUp = reject;
      });
      const onAbort = () => giveUp(signal.reason);
      const timer = setTimeout(() => giveUp(unavailable(server, 'it does not end')), waitMs);
      signal.addEventListener('abort', onAbort);
      try {
        await Promise.race([closings.all(), givenUp]);
      } finally {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
      }
    },
  };
}
