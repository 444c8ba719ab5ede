import { withDatabaseTimeout } from '../database/with-database-timeout.ts';
import type { CallRecords } from './call-records.ts';
import type { ServerCallRows } from './server-call-rows.ts';
import { addUp, type ServerCallSummary, type ServerCalls } from './server-calls.ts';

export interface SharedServerCallsOptions {
  readonly records: CallRecords;
  /** Names of all there are. */
  readonly servers: () => readonly string[];
  /** Calls under way in this process. */
  readonly inFlight: (server: string) => number;
  /** Undefined: no other process can be on this database. */
  readonly rows: ServerCallRows | undefined;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  readonly publishEveryMs?: number;
}

const lookEveryMs = 500;
/** Nobody waits longer for a database that hangs. */
const timeoutMs = 500;
const nothing: ServerCallSummary = { total: 0, failed: 0, inFlight: 0, recent: [] };

/**
 * Each process tells the others once a second what changed, so calls themselves cost nothing more, and looks at what
 * the others told only when somebody asks.
 */
export function createServerCalls(options: SharedServerCallsOptions): ServerCalls {
  const { records, servers, inFlight, rows, now, publishEveryMs = 1_000 } = options;
  const told = new Map<string, ServerCallSummary>();
  let others: ReadonlyMap<string, readonly ServerCallSummary[]> = new Map();
  let lookedAt = Number.NEGATIVE_INFINITY;
  let looking: Promise<void> | undefined;
  let telling: Promise<void> | undefined;
  const timer = rows && setInterval(tell, publishEveryMs);

  function own(server: string): ServerCallSummary {
    return { ...records.read(server), inFlight: inFlight(server) };
  }

  /** Calls under way are told again and again: that is how the others know that we live. */
  function changed(): Map<string, ServerCallSummary> {
    const summaries = servers().map((server) => [server, own(server)] as const);
    return new Map(
      summaries.filter(([server, { recent, inFlight: underWay }]) => {
        const before = told.get(server) ?? nothing;
        // The newest one tells of tries, too, which no count does.
        return recent[0] !== before.recent[0] || underWay > 0 || before.inFlight > 0;
      }),
    );
  }

  function tell(): Promise<void> {
    telling ??= tellNow().finally(() => {
      telling = undefined;
    });
    return telling;
  }

  async function tellNow(): Promise<void> {
    const summaries = changed();
    if (summaries.size === 0) return;
    try {
      await rows?.write(summaries);
      for (const [server, summary] of summaries) told.set(server, summary);
    } catch {
      // The database is away: the next second tells it all.
    }
  }

  async function lookNow(): Promise<void> {
    lookedAt = now();
    others = (await rows?.readOthers().catch(() => undefined)) ?? others;
    looking = undefined;
  }

  return {
    of: (server) => addUp([own(server), ...(others.get(server) ?? [])]),
    look() {
      if (rows === undefined || now() - lookedAt < lookEveryMs) return Promise.resolve();
      looking ??= lookNow();
      return withDatabaseTimeout(looking, timeoutMs).catch(() => {});
    },
    async close() {
      clearInterval(timer);
      const reportedAll = (telling ?? Promise.resolve()).then(tell);
      await withDatabaseTimeout(reportedAll, timeoutMs).catch(() => {});
    },
  };
}
