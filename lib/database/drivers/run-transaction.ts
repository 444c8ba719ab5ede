import type { Queryable } from '../database.ts';

/** Begin, work, commit on one database session; rolls back when `work` rejects, with the error of `work`. */
export async function runTransaction<Result>(
  session: Queryable,
  work: (transaction: Queryable) => Promise<Result>,
): Promise<Result> {
  await session.query('begin');
  try {
    const result = await work(session);
    await session.query('commit');
    return result;
  } catch (error) {
    // When the connection is lost the server rolls back by itself, and the first error is the more useful one.
    await session.query('rollback').catch(() => {});
    throw error;
  }
}

/**
 * The limits that the server itself enforces for our sessions. The driver's own, `query_timeout`, only stops waiting:
 * the statement would continue on the server, or wait for its lock, without a client to end it, and a process that is
 * stopped in the middle of a transaction would hold its locks for as long as it is stopped.
 *
 * Each limit is shorter than the driver's, so that the reason is known. They are set by a statement because poolers
 * such as PgBouncer refuse connections with such start-up parameters.
 */
export const queryTimeoutMs = 2500;
const lockTimeoutMs = 2000;
const statementTimeoutMs = 2300;
/** The longest pause between two statements of a transaction is the writing of one small file. */
const idleInTransactionMs = 5000;

export const sessionLimits = `select set_config('lock_timeout', '${lockTimeoutMs}', false),
  set_config('statement_timeout', '${statementTimeoutMs}', false),
  set_config('idle_in_transaction_session_timeout', '${idleInTransactionMs}', false)`;

/** For one transaction. An idle transaction is ended all the same: a stopped process must not block others. */
export function withoutLimits<Result>(
  work: (transaction: Queryable) => Promise<Result>,
): (transaction: Queryable) => Promise<Result> {
  return async (transaction) => {
    await transaction.query('set local statement_timeout = 0; set local lock_timeout = 0');
    return await work(transaction);
  };
}
