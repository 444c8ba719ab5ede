import type { Database } from '../database/database.ts';
import { createInTurnByName, type InTurnByName } from '../in-turn.ts';

/**
 * One writer per group at a time. Several managers may share the groups folder, so with a shared database the
 * lock is a Postgres advisory lock, held by a transaction: it ends with its connection, however the process
 * ends. The embedded database belongs to one process, where a queue is enough.
 */
export type GroupLock = InTurnByName;

/** Rejects with `database_unavailable`, `work` not begun, while a shared database is away. */
export function createGroupLock(database: Pick<Database, 'kind' | 'transaction'>): GroupLock {
  const queued = createInTurnByName();
  if (database.kind === 'pglite') return queued;
  // Queued first, so that waiting edits of one group hold one connection, not all of them.
  return (name, work) => queued(name, () => withAdvisoryLock(database, name, work));
}

async function withAdvisoryLock<Result>(
  database: Pick<Database, 'transaction'>,
  name: string,
  work: () => Promise<Result>,
): Promise<Result> {
  let outcome: { readonly result: Result } | undefined;
  try {
    await database.transaction(async (transaction) => {
      await transaction.query('select pg_advisory_xact_lock(hashtext($1))::text', [`group:${name}`]);
      outcome = { result: await work() };
    });
  } catch (error) {
    // The transaction carries nothing but the lock: once the work is done, a lost commit changes nothing.
    if (outcome === undefined) throw error;
  }
  if (outcome === undefined) throw new Error('The transaction ended without running its work.');
  return outcome.result;
}
