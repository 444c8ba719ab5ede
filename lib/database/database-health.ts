import { Failure, toFailure } from '../failure.ts';
import type { Log } from '../log.ts';
import type { Queryable } from './database.ts';
import { databaseFailure, type FaultReason, stateOf } from './database-fault.ts';

/**
 * Receives every fault of the database: logs one line about it, and records that writing may be impossible. One place,
 * so that a thousand refused requests do not log a thousand lines, and background work logs its faults too.
 */
export interface FaultWatch {
  /** Returns the failure, to be thrown. */
  report(failure: Failure): Failure;
  /** A write failed for a reason that affects every write, and no write has succeeded since. */
  mayNotWrite(): boolean;
  /** A write succeeded. */
  reportWritten(): void;
}

export interface FaultWatchOptions {
  readonly log: Log;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

interface LoggedFault {
  at: number;
  /** Faults of that kind since the last line, without lines of their own. */
  unlogged: number;
}

const lineEveryMs = 10_000;
const meetEveryWrite: ReadonlySet<unknown> = new Set<FaultReason>(['read_only', 'full', 'broken']);

export function createFaultWatch({ log, now = () => performance.now() }: FaultWatchOptions): FaultWatch {
  /** By kind and state, of which there are few. */
  const logged = new Map<string, LoggedFault>();
  let isSuspected = false;

  function write(failure: Failure, reason: unknown): void {
    const cause = causeOf(failure.cause);
    const kind = `${reason} ${cause.state ?? ''}`;
    const last = logged.get(kind);
    if (last !== undefined && now() - last.at < lineEveryMs) {
      last.unlogged += 1;
      return;
    }
    logged.set(kind, { at: now(), unlogged: 0 });
    log.warn({ reason, ...cause, unlogged: last?.unlogged ?? 0 }, failure.message);
  }

  return {
    report(failure) {
      const reason = failure.details?.reason;
      if (meetEveryWrite.has(reason)) isSuspected = true;
      write(failure, reason);
      return failure;
    },
    mayNotWrite: () => isSuspected,
    reportWritten() {
      if (isSuspected) log.info({}, 'The database stores again.');
      isSuspected = false;
    },
  };
}

/** No stack: it ends in the driver. No server details either: they may quote values of a row. */
function causeOf(cause: unknown): { readonly state?: string | undefined; readonly cause?: string } {
  if (!(cause instanceof Error)) return {};
  const { code } = cause as { code?: unknown };
  return { state: stateOf(cause), cause: cause.message || String(code) };
}

/**
 * Whether the database can be used in full. While all is well this costs one read. Once a write failed for a general
 * reason (a full disk), a test write follows, shared by all callers and at most every `tryEveryMs`, until it succeeds.
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

  async function check(): Promise<void> {
    const [row] = await database.query<{ is_read_only: boolean }>(
      "select current_setting('transaction_read_only')::boolean as is_read_only",
    );
    if (row?.is_read_only) throw watch.report(databaseFailure('read_only'));
    if (!watch.mayNotWrite()) return;
    if (lastTry === undefined || now() - lastTry.at >= tryEveryMs) {
      lastTry = { at: now(), outcome: tryToWrite(database) };
    }
    await lastTry.outcome;
    // A success says nothing about a later fault.
    lastTry = undefined;
    watch.reportWritten();
  }

  return {
    async problem() {
      try {
        await check();
        return undefined;
      } catch (error) {
        return toFailure(error).message;
      }
    },
  };
}

const undone = new Error('Rolled back on purpose');

/**
 * Needs room for new pages, as any insert may, and leaves none behind. Unlogged, since a growing log is the worst
 * burden for a full disk.
 */
async function tryToWrite(database: DatabaseHealthOptions['database']): Promise<void> {
  const trying = database.transaction(async (transaction) => {
    await transaction.query(
      `create unlogged table svc_mcp_write_probe as
        select repeat('x', 1000) as filling from generate_series(1, 256)`,
    );
    throw undone;
  });
  // For a user who may not create tables this shows nothing; the next write will.
  await trying.catch((error) => {
    if (error instanceof Failure) throw error;
  });
}
