import { type Failure, toFailure } from '../failure.ts';
import type { Log } from '../log.ts';

/** An id that the answer and the log line share. Not secret, only unlikely to repeat. */
export function newRequestId(): string {
  return Math.random().toString(36).slice(2, 12).padEnd(10, '0');
}

/**
 * Turns whatever was thrown into a Failure and logs what an operator has to know: defects with their stack, trouble
 * of ours (5xx) with its cause as a warning. What the caller did wrong is the caller's to know. The database's faults
 * leave their line where they are met (`lib/database/database-health.ts`), not one for each request that they refuse.
 */
export function reportFailure(
  error: unknown,
  log: Log,
  requestId = newRequestId(),
): { failure: Failure; requestId: string } {
  const failure = toFailure(error);
  if (failure.code === 'internal')
    log.error({ request_id: requestId, error: failure.cause }, 'internal error');
  else if (failure.code === 'database_unavailable') {
    log.debug({ request_id: requestId, code: failure.code, ...failure.details }, failure.message);
  } else if (failure.status >= 500 && failure.cause !== undefined) {
    log.warn({ request_id: requestId, code: failure.code, error: failure.cause }, failure.message);
  }
  return { failure, requestId };
}
