import { createKeyedMutex } from '../../async/mutex.ts';
import type { Database, Queryable } from '../../database/database.ts';

/**
 * One writer per group at a time. Several managers may share the groups folder, so with a shared database the
 * lock is a Postgres advisory lock, held by a transaction: it ends with its connection, however the process
 * ends. The embedded database belongs to one process, where a queue is enough.
 *
 * A process that is stopped in the middle of its work (a frozen container, a suspended machine) is not waited for: the
 * server ends its transaction after 5 s, and the lock goes to the next. When it wakes it still believes that it holds
 * the lock, so work that writes has to prove it: see `HeldLock`.
 */
export type GroupLock = <Result>(
  name: string,
  work: (held: AcquiredLock) => Promise<Result>,
) => Promise<Result>;

/**
 * How a holder that was stopped is kept from writing over what the next one wrote. Asking alone is not enough, since
 * the process may be stopped right after the answer, before its rename. So there are three steps:
 *
 * 1. A writer makes its temporary file, and only then calls `assertHeld`.
 * 2. Whoever gets the lock removes the group's temporary files before it reads the group.
 * 3. A writer renames its temporary file over the group's, which the file system does whole or not at all.
 *
 * A lock that was held at `assertHeld` goes to the next one after that, so the next one finds the temporary file and
 * removes it. The rename then either came before that, and the next one reads what it wrote, or it fails.
 */
export interface AcquiredLock {
  /** Processes other than this one may take the lock over. */
  readonly isShared: boolean;
  /** Rejects with `database_unavailable` when it is lost or nobody can tell. */
  assertLocked(): Promise<void>;
}

const unshared: AcquiredLock = { isShared: false, async assertLocked() {} };

/** Rejects with `database_unavailable`, `work` not begun, while a shared database is away or another holds the lock. */
export function createGroupLock(database: Pick<Database, 'kind' | 'transaction'>): GroupLock {
  const queued = createKeyedMutex();
  if (database.kind === 'pglite') return (name, work) => queued(name, () => work(unshared));
  // Queued first, so that waiting edits of one group hold one connection, not all of them.
  return (name, work) => queued(name, () => withAdvisoryLock(database, name, work));
}

async function withAdvisoryLock<Result>(
  database: Pick<Database, 'transaction'>,
  name: string,
  work: (held: AcquiredLock) => Promise<Result>,
): Promise<Result> {
  let outcome: { readonly result: Result } | undefined;
  try {
    await database.transaction(async (transaction) => {
      await transaction.query('select pg_advisory_xact_lock(hashtext($1))::text', [`group:${name}`]);
      outcome = { result: await work(heldBy(transaction)) };
    });
  } catch (error) {
    // The transaction carries nothing but the lock: once the work is done, a lost commit changes nothing.
    if (outcome === undefined) throw error;
  }
  if (outcome === undefined) throw new Error('The transaction ended without running its work.');
  return outcome.result;
}

/** The lock lives exactly as long as its transaction, and a transaction that has ended answers nothing. */
function heldBy(transaction: Queryable): AcquiredLock {
  return {
    isShared: true,
    async assertLocked() {
      await transaction.query('select 1 as held');
    },
  };
}
