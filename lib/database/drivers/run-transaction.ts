import type { Queryable } from '../database.ts';

/** Begin, work, commit on one database session; rolled back when `work` rejects, with its own error. */
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
    // When the connection is lost the server rolls back by itself, and the first error says more.
    await session.query('rollback').catch(() => {});
    throw error;
  }
}

/**
 * The limits that the server itself keeps for our sessions. The driver's own, `query_timeout`, only stops waiting: the
 * statement would go on there, or wait for its lock, with nobody left to end it, and a process that is stopped in the
 * middle of a transaction would keep its locks for as long as it stands still.
 *
 * Each ends before the driver gives up, so that the reason is known. They are set by a statement because poolers such as
 * PgBouncer refuse connections that name them as start-up parameters.
 */
export const queryTimeoutMs = 2500;
const lockTimeoutMs = 2000;
const statementTimeoutMs = 2300;
/** Between two statements of a transaction there is at most the writing of one small file. */
const idleInTransactionMs = 5000;

export const sessionLimits = `select set_config('lock_timeout', '${lockTimeoutMs}', false),
  set_config('statement_timeout', '${statementTimeoutMs}', false),
  set_config('idle_in_transaction_session_timeout', '${idleInTransactionMs}', false)`;

/** For one transaction. What is idle in it is ended all the same: nobody waits for a process that stands still. */
export function withoutLimits<Result>(
  work: (transaction: Queryable) => Promise<Result>,
): (transaction: Queryable) => Promise<Result> {
  return async (transaction) => {
    await transaction.query('set local statement_timeout = 0; set local lock_timeout = 0');
    return await work(transaction);
  };
}
