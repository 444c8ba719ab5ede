/**
 * Waits for a database that is not reachable yet, without a limit: in many deployments the service starts before its
 * database. Other errors (a TypeError, a broken migration) reject at once.
 */
import pRetry from 'p-retry';
import { Failure } from '../failure.ts';

export interface ConnectRetryOptions {
  /** Aborting rejects the wait with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Called for each attempt that failed because the database is away; the error is a Failure with its cause. */
  readonly onFailure: (error: Failure) => void;
  readonly firstDelayMs?: number;
  readonly longestDelayMs?: number;
}

/** Resolves with the result of `attempt`, once the database is reachable. */
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
