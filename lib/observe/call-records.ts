import type { CallSummary, RecentCall } from './metrics.ts';
import { mostRecentCalls as kept } from './server-calls.ts';

/** The last calls of each server, for its detail page: shape only, never arguments or results. */
export interface CallRecords {
  add(server: string, tool: string, outcome: string, milliseconds: number): void;
  read(server: string): CallSummary;
}

interface Tally {
  total: number;
  failed: number;
  /** A ring: the next place to write is `total % kept`. */
  readonly recent: RecentCall[];
}

const empty: CallSummary = { total: 0, failed: 0, recent: [] };

export function createCallRecords(now: () => number = Date.now): CallRecords {
  const tallies = new Map<string, Tally>();

  return {
    add(server, tool, outcome, milliseconds) {
      const tally = tallies.get(server) ?? { total: 0, failed: 0, recent: [] };
      tallies.set(server, tally);
      tally.recent[tally.total % kept] = { at: now(), tool, outcome, milliseconds };
      tally.total++;
      if (outcome !== 'ok' && outcome !== 'cancelled') tally.failed++;
    },
    read(server) {
      const tally = tallies.get(server);
      if (tally === undefined) return empty;
      const split = tally.total % kept;
      const ordered =
        tally.total <= kept ? tally.recent : [...tally.recent.slice(split), ...tally.recent.slice(0, split)];
      return { total: tally.total, failed: tally.failed, recent: ordered.toReversed() };
    },
  };
}
