import { createKeyedMutex } from '../../async/mutex.ts';
import type { Database, Queryable } from '../../database/database.ts';

/**
 * One writer per group at a time. Several managers may share the groups folder, so with a shared database the lock is a
 * Postgres advisory lock, held by a transaction: it ends with its connection, however the process ends. The embedded
 * database belongs to one process, where a queue is enough.
 *
 * A process that is suspended in the middle of its work (a frozen container, a sleeping machine) does not block others:
 * Postgres ends its transaction after 5 s, and the lock goes to the next process. The resumed process still believes
 * that it holds the lock, so work that writes has to verify this: see `AcquiredLock`.
 */
export type GroupLock = <Result>(
  name: string,
  work: (acquired: AcquiredLock) => Promise<Result>,
) => Promise<Result>;

/**
 * Three steps keep a suspended holder from overwriting what the next holder wrote. `assertLocked` alone is not enough,
 * since the process may be suspended right after its answer, before the rename:
 *
 * 1. A writer makes its temporary file, and only then calls `assertLocked`.
 * 2. The next holder of the lock removes the group's temporary files before it reads the group.
 * 3. A writer renames its temporary file over the group's, which is atomic.
 *
 * A lock that `assertLocked` confirmed goes to the next holder only after that, so the next holder finds the temporary
 * file and removes it. The rename either came before, and the next holder reads what it wrote, or it fails.
 */
export interface AcquiredLock {
  /** The lock may go to other processes. */
  readonly isShared: boolean;
  /** Rejects with `database_unavailable` when the lock is lost or the database does not answer. */
  assertLocked(): Promise<void>;
}

const unshared: AcquiredLock = { isShared: false, async assertLocked() {} };

/** Rejects with `database_unavailable`, `work` not begun, while a shared database is away or the lock is taken. */
export function createGroupLock(database: Pick<Database, 'kind' | 'transaction'>): GroupLock {
  const queued = createKeyedMutex();
  if (database.kind === 'pglite') return (name, work) => queued(name, () => work(unshared));
  // Queued first, so that the pending edits of one group hold one connection, not all of them.
  return (name, work) => queued(name, () => withAdvisoryLock(database, name, work));
}

async function withAdvisoryLock<Result>(
  database: Pick<Database, 'transaction'>,
  name: string,
  work: (acquired: AcquiredLock) => Promise<Result>,
): Promise<Result> {
  let outcome: { readonly result: Result } | undefined;
  try {
    await database.transaction(async (transaction) => {
      await lockGroup(transaction, name);
      outcome = { result: await work(lockOf(transaction)) };
    });
  } catch (error) {
    // The transaction holds only the lock: once the work is complete, a lost commit changes nothing.
    if (outcome === undefined) throw error;
  }
  if (outcome === undefined) throw new Error('The transaction ended without running its work.');
  return outcome.result;
}

/** Takes the group's lock between processes, until the end of the transaction. */
export async function lockGroup(transaction: Queryable, name: string): Promise<void> {
  await transaction.query('select pg_advisory_xact_lock(hashtext($1))::text', [`group:${name}`]);
}

/** The lock lasts exactly as long as its transaction, and queries of an ended transaction fail. */
function lockOf(transaction: Queryable): AcquiredLock {
  return {
    isShared: true,
    async assertLocked() {
      await transaction.query('select 1 as held');
    },
  };
}
