import { withTimeout } from '../async/wait.ts';
import { databaseUnavailable } from '../failure.ts';

/** Rejects with `database_unavailable` when `reading` takes longer: for callers who have something else to go by. */
export function withDatabaseTimeout<Result>(reading: Promise<Result>, timeoutMs: number): Promise<Result> {
  return withTimeout(reading, timeoutMs, () => {
    throw databaseUnavailable();
  });
}
