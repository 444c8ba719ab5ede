import { Failure, toFailure } from '../failure.ts';
import type { Queryable } from './database.ts';
import { databaseFailure } from './database-fault.ts';
import type { FaultWatch } from './fault-watch.ts';

/**
 * Whether the database can be used in full. While all is well this costs one read. Once a write failed as any other
 * would (a full disk), writing is tried as well, for all askers together at most every `tryEveryMs`, until it works.
 */
export interface DatabaseHealth {
  /** Undefined when nothing is wrong, else a sentence. Never rejects. */
  problem(): Promise<string | undefined>;
}

export interface DatabaseHealthOptions {
  readonly database: Queryable & {
    transaction<Result>(work: (transaction: Queryable) => Promise<Result>): Promise<Result>;
  };
  readonly watch: FaultWatch;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
  readonly tryEveryMs?: number;
}

export function createDatabaseHealth(options: DatabaseHealthOptions): DatabaseHealth {
  const { database, watch, now = () => performance.now(), tryEveryMs = 1000 } = options;
  let lastTry: { readonly at: number; readonly outcome: Promise<void> } | undefined;

  async function look(): Promise<void> {
    const [row] = await database.query<{ is_read_only: boolean }>(
      "select current_setting('transaction_read_only')::boolean as is_read_only",
    );
    if (row?.is_read_only) throw watch.report(databaseFailure('read_only'));
    if (!watch.mayNotWrite()) return;
    if (lastTry === undefined || now() - lastTry.at >= tryEveryMs) {
      lastTry = { at: now(), outcome: tryToWrite(database) };
    }
    await lastTry.outcome;
    // What worked says nothing about a fault that comes after it.
    lastTry = undefined;
    watch.reportWritten();
  }

  return {
    async problem() {
      try {
        await look();
        return undefined;
      } catch (error) {
        return toFailure(error).message;
      }
    },
  };
}

const undone = new Error('Rolled back on purpose');

/**
 * Needs room for new pages, as any insert may, and leaves none behind. Unlogged, since a log that grows is the last
 * thing a full disk needs.
 */
async function tryToWrite(database: DatabaseHealthOptions['database']): Promise<void> {
  const trying = database.transaction(async (transaction) => {
    await transaction.query(
      `create unlogged table svc_mcp_write_probe as
        select repeat('x', 1000) as filling from generate_series(1, 256)`,
    );
    throw undone;
  });
  // Who may make no table cannot tell this way, and finds out with the next write.
  await trying.catch((error) => {
    if (error instanceof Failure) throw error;
  });
}
