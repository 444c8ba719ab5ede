/**
 * Waits for a database that is not there yet, for as long as it takes: the service starts before its database
 * in every second deployment. Mistakes of ours (a TypeError, a broken migration) are not waited for.
 */
import pRetry from 'p-retry';
import { Failure } from '../failure.ts';

export interface ConnectRetryOptions {
  /** Aborting rejects the wait with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Each time an attempt failed because the database is away; the error is a Failure with its cause. */
  readonly onFailure: (error: Failure) => void;
  readonly firstDelayMs?: number;
  readonly longestDelayMs?: number;
}

/** Resolves to what `attempt` resolves to, once the database is there. */
export async function connectWithRetry<Result>(
  attempt: () => Promise<Result>,
  { signal, onFailure, firstDelayMs = 500, longestDelayMs = 4000 }: ConnectRetryOptions,
): Promise<Result> {
  return await pRetry(attempt, {
    retries: Number.POSITIVE_INFINITY,
    minTimeout: firstDelayMs,
    maxTimeout: longestDelayMs,
    signal,
    shouldRetry: ({ error }) => isAway(error),
    onFailedAttempt({ error }) {
      if (isAway(error)) onFailure(error);
    },
  });
}

function isAway(error: unknown): error is Failure {
  return error instanceof Failure && error.code === 'database_unavailable';
}
