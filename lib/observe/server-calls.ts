import type { Queryable } from '../database/database.ts';
import { withDatabaseTimeout } from '../database/database-fault.ts';
import { type CallRecords, mostRecentCalls } from './call-records.ts';
import type { CallSummary, RecentCall } from './metrics.ts';

/** The calls to each server, whichever process of this installation relayed them: what the manager shows. */
export interface ServerCalls {
  /** Of this process as of now, of the others as last looked up. */
  of(server: string): ServerCallSummary;
  /** Looks up what the others relayed, once in half a second at most. Never rejects: what was known stays. */
  look(): Promise<void>;
  /** Tells the others once more. */
  close(): Promise<void>;
}

export interface ServerCallSummary extends CallSummary {
  readonly inFlight: number;
}

/** @param parts in any order */
export function addUp(parts: readonly ServerCallSummary[]): ServerCallSummary {
  const sum = (count: (part: ServerCallSummary) => number) =>
    parts.reduce((total, part) => total + count(part), 0);
  return {
    total: sum(({ total }) => total),
    failed: sum(({ failed }) => failed),
    inFlight: sum(({ inFlight }) => inFlight),
    recent: parts
      .flatMap(({ recent }) => recent)
      .sort((one, other) => other.at - one.at)
      .slice(0, mostRecentCalls),
  };
}

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

/** The statements on the table `server_calls`. Ages are judged with the database's clock. */

export interface ServerCallRows {
  /** Replaces what this process told of these servers before. */
  write(summaries: ReadonlyMap<string, ServerCallSummary>): Promise<void>;
  /** What other processes told, by server. */
  readOthers(): Promise<ReadonlyMap<string, readonly ServerCallSummary[]>>;
}

interface StoredRow {
  readonly server: string;
  readonly calls: number;
  readonly errors: number;
  readonly in_flight: number;
  readonly recent: string;
}

/** Calls under way are told every second; a process that is silent for longer has lost them. */
const inFlightForSeconds = 5;
/** What a process that ended has relayed counts for a day. */
const keptForSeconds = 86_400;

export function createServerCallRows(database: Queryable, processId: string): ServerCallRows {
  return {
    async write(summaries) {
      const all = [...summaries.values()];
      await database.query(
        `insert into server_calls (process, server, calls, errors, in_flight, recent)
        select $1, * from unnest($2::text[], $3::float8[], $4::float8[], $5::int[], $6::text[])
        on conflict (process, server) do update set calls = excluded.calls, errors = excluded.errors,
          in_flight = excluded.in_flight, recent = excluded.recent, updated_at = now()`,
        [
          processId,
          [...summaries.keys()],
          all.map(({ total }) => total),
          all.map(({ failed }) => failed),
          all.map(({ inFlight }) => inFlight),
          all.map(({ recent }) => JSON.stringify(recent)),
        ],
        'write-server-calls',
      );
      await database.query(
        'delete from server_calls where updated_at < now() - make_interval(secs => $1)',
        [keptForSeconds],
        'expire-server-calls',
      );
    },
    async readOthers() {
      const rows = await database.query<StoredRow>(
        `select server, calls, errors, recent,
          case when updated_at > now() - make_interval(secs => $2) then in_flight else 0 end as in_flight
        from server_calls where process <> $1`,
        [processId, inFlightForSeconds],
        'read-server-calls',
      );
      const byServer = new Map<string, ServerCallSummary[]>();
      for (const row of rows) byServer.set(row.server, [...(byServer.get(row.server) ?? []), toSummary(row)]);
      return byServer;
    },
  };
}

function toSummary({ calls, errors, in_flight, recent }: StoredRow): ServerCallSummary {
  return { total: calls, failed: errors, inFlight: in_flight, recent: JSON.parse(recent) as RecentCall[] };
}
