import type { Failure } from '../failure.ts';
import type { Log } from '../log.ts';
import { type FaultReason, stateOf } from './database-fault.ts';

/**
 * Hears of every fault that the database showed, whoever asked: writes the one line about it, and remembers that
 * writing may be impossible. Here and nowhere else, so that a thousand refused requests are no thousand lines, and work
 * that nobody waits for leaves its line too.
 */
export interface FaultWatch {
  /** Answers the failure it was told, to be thrown. */
  report(failure: Failure): Failure;
  /** A write failed in a way that meets every other write, and none was seen to work since. */
  mayNotWrite(): boolean;
  /** A write was seen to work. */
  reportWritten(): void;
}

export interface FaultWatchOptions {
  readonly log: Log;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

interface Told {
  at: number;
  /** Faults of that kind since the line, which have none. */
  unlogged: number;
}

const lineEveryMs = 10_000;
const meetEveryWrite: ReadonlySet<unknown> = new Set<FaultReason>(['read_only', 'full', 'broken']);

export function createFaultWatch({ log, now = () => performance.now() }: FaultWatchOptions): FaultWatch {
  /** By kind and state, of which there are few. */
  const told = new Map<string, Told>();
  let isSuspected = false;

  function write(failure: Failure, reason: unknown): void {
    const cause = causeOf(failure.cause);
    const kind = `${reason} ${cause.state ?? ''}`;
    const last = told.get(kind);
    if (last !== undefined && now() - last.at < lineEveryMs) {
      last.unlogged += 1;
      return;
    }
    told.set(kind, { at: now(), unlogged: 0 });
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

/** No stack: it ends in the driver. No details of the server's either: they may quote values of a row. */
function causeOf(cause: unknown): { readonly state?: string | undefined; readonly cause?: string } {
  if (!(cause instanceof Error)) return {};
  const { code } = cause as { code?: unknown };
  return { state: stateOf(cause), cause: cause.message || String(code) };
}
