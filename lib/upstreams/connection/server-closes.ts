import { unlessAborted, withTimeout } from '../../async/wait.ts';
import { unavailable } from '../upstream-failures.ts';
import { createPendingCloses, type PendingCloses } from './pending-closes.ts';

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
    untilGone: (signal) =>
      withTimeout(unlessAborted(pendingCloses.all(), signal), waitMs, () => {
        throw unavailable(server, 'it does not end');
      }),
  };
}
