import pRetry from 'p-retry';

export interface RetryOptions {
  readonly longestPauseMs: number;
  readonly signal?: AbortSignal;
  readonly onFirstFailure?: () => void;
}

/**
 * Tries until `work` succeeds, pausing from 0.25 s up to `longestPauseMs`; waiting keeps no process alive. Rejects for
 * what no later attempt could mend (a TypeError) and once `signal` is aborted.
 */
export async function retryForever(
  work: () => Promise<void>,
  { longestPauseMs, signal, onFirstFailure }: RetryOptions,
): Promise<void> {
  await pRetry(work, {
    retries: Number.POSITIVE_INFINITY,
    minTimeout: 250,
    maxTimeout: longestPauseMs,
    unref: true,
    signal,
    onFailedAttempt({ attemptNumber }) {
      if (attemptNumber === 1) onFirstFailure?.();
    },
  });
}
