import type { CallSummary, RecentCall } from './metrics.ts';

/** The last calls of each server, for its detail page: shape only, never arguments or results. */
export interface CallRecords {
  add(server: string, tool: string, outcome: string, milliseconds: number): void;
  /** Shown among the last calls, and not counted. */
  addTry(server: string, tool: string, outcome: string, milliseconds: number): void;
  read(server: string): CallSummary;
}

interface Tally {
  total: number;
  failed: number;
  /** Calls and tries. */
  recorded: number;
  /** A ring: the next place to write is `recorded % mostRecentCalls`. */
  readonly recent: RecentCall[];
}

/** How many of the last calls of a server are shown. */
export const mostRecentCalls = 20;

const empty: CallSummary = { total: 0, failed: 0, recent: [] };

export function createCallRecords(now: () => number = Date.now): CallRecords {
  const tallies = new Map<string, Tally>();

  function record(server: string, call: RecentCall): Tally {
    const tally = tallies.get(server) ?? { total: 0, failed: 0, recorded: 0, recent: [] };
    tallies.set(server, tally);
    tally.recent[tally.recorded % mostRecentCalls] = call;
    tally.recorded++;
    return tally;
  }

  return {
    add(server, tool, outcome, milliseconds) {
      const tally = record(server, { at: now(), tool, outcome, milliseconds });
      tally.total++;
      if (outcome !== 'ok' && outcome !== 'cancelled') tally.failed++;
    },
    addTry(server, tool, outcome, milliseconds) {
      record(server, { at: now(), tool, outcome, milliseconds, tried: true });
    },
    read(server) {
      const tally = tallies.get(server);
      if (tally === undefined) return empty;
      const split = tally.recorded % mostRecentCalls;
      const ordered =
        tally.recorded <= mostRecentCalls
          ? tally.recent
          : [...tally.recent.slice(split), ...tally.recent.slice(0, split)];
      return { total: tally.total, failed: tally.failed, recent: ordered.toReversed() };
    },
  };
}
