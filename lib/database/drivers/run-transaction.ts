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
