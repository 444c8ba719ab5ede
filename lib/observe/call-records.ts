import type { CallSummary, RecentCall } from './metrics.ts';
import { mostRecentCalls as kept } from './server-calls.ts';

/** The last calls of each server, for its detail page: shape only, never arguments or results. */
export interface CallRecords {
  add(server: string, tool: string, outcome: string, milliseconds: number): void;
  /** Is among the last ones, and in no count. */
  addTry(server: string, tool: string, outcome: string, milliseconds: number): void;
  read(server: string): CallSummary;
}

interface Tally {
  total: number;
  failed: number;
  /** Calls and tries. */
  noted: number;
  /** A ring: the next place to write is `noted % kept`. */
  readonly recent: RecentCall[];
}

const empty: CallSummary = { total: 0, failed: 0, recent: [] };

export function createCallRecords(now: () => number = Date.now): CallRecords {
  const tallies = new Map<string, Tally>();

  function note(server: string, call: RecentCall): Tally {
    const tally = tallies.get(server) ?? { total: 0, failed: 0, noted: 0, recent: [] };
    tallies.set(server, tally);
    tally.recent[tally.noted % kept] = call;
    tally.noted++;
    return tally;
  }

  return {
    add(server, tool, outcome, milliseconds) {
      const tally = note(server, { at: now(), tool, outcome, milliseconds });
      tally.total++;
      if (outcome !== 'ok' && outcome !== 'cancelled') tally.failed++;
    },
    addTry(server, tool, outcome, milliseconds) {
      note(server, { at: now(), tool, outcome, milliseconds, tried: true });
    },
    read(server) {
      const tally = tallies.get(server);
      if (tally === undefined) return empty;
      const split = tally.noted % kept;
      const ordered =
        tally.noted <= kept ? tally.recent : [...tally.recent.slice(split), ...tally.recent.slice(0, split)];
      return { total: tally.total, failed: tally.failed, recent: ordered.toReversed() };
    },
  };
}
