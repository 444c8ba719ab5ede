import type { Queryable } from '../database/database.ts';
import { withDatabaseTimeout } from '../database/database-fault.ts';
import { type CallRecords, mostRecentCalls } from './call-records.ts';
import type { CallSummary, RecentCall } from './metrics.ts';

/** The calls to each server by all processes of this installation, as the manager shows them. */
export interface ServerCalls {
  /** The present calls of this process, and those of the others as last read. */
  of(server: string): ServerCallSummary;
  /**
   * Reads the calls of other processes, at most every half second. Never rejects: after a failure the last answer
   * stays.
   */
  refresh(): Promise<void>;
  /** Publishes a last time. */
  close(): Promise<void>;
}

export interface ServerCallSummary extends CallSummary {
  readonly inFlight: number;
}

/** @param summaries in any order */
export function addUp(summaries: readonly ServerCallSummary[]): ServerCallSummary {
  const sum = (count: (part: ServerCallSummary) => number) =>
    summaries.reduce((total, part) => total + count(part), 0);
  return {
    total: sum(({ total }) => total),
    failed: sum(({ failed }) => failed),
    inFlight: sum(({ inFlight }) => inFlight),
    recent: summaries
      .flatMap(({ recent }) => recent)
      .sort((one, other) => other.at - one.at)
      .slice(0, mostRecentCalls),
  };
}

export interface SharedServerCallsOptions {
  readonly records: CallRecords;
  /** The names of all servers. */
  readonly servers: () => readonly string[];
  /** The running calls of this process. */
  readonly inFlight: (server: string) => number;
  /** Undefined: no other process can use this database. */
  readonly rows: ServerCallRows | undefined;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  readonly publishEveryMs?: number;
}

const readEveryMs = 500;
/** The longest wait for a hanging database. */
const timeoutMs = 500;
const nothing: ServerCallSummary = { total: 0, failed: 0, inFlight: 0, recent: [] };

/**
 * Each process stores its changed summaries once a second, so that a call itself costs no write, and reads those of
 * others only on request.
 */
export function createServerCalls(options: SharedServerCallsOptions): ServerCalls {
  const { records, servers, inFlight, rows, now, publishEveryMs = 1_000 } = options;
  const published = new Map<string, ServerCallSummary>();
  let others: ReadonlyMap<string, readonly ServerCallSummary[]> = new Map();
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;
  let publishing: Promise<void> | undefined;
  const timer = rows && setInterval(publish, publishEveryMs);

  function own(server: string): ServerCallSummary {
    return { ...records.read(server), inFlight: inFlight(server) };
  }

  /** A server with running calls is published every time, which shows other processes that this one is alive. */
  function changed(): Map<string, ServerCallSummary> {
    const summaries = servers().map((server) => [server, own(server)] as const);
    return new Map(
      summaries.filter(([server, { recent, inFlight: underWay }]) => {
        const before = published.get(server) ?? nothing;
        // The newest call reveals tries too, which no count does.
        return recent[0] !== before.recent[0] || underWay > 0 || before.inFlight > 0;
      }),
    );
  }

  function publish(): Promise<void> {
    publishing ??= publishNow().finally(() => {
      publishing = undefined;
    });
    return publishing;
  }

  async function publishNow(): Promise<void> {
    const summaries = changed();
    if (summaries.size === 0) return;
    try {
      await rows?.write(summaries);
      for (const [server, summary] of summaries) published.set(server, summary);
    } catch {
      // The database is away: everything is published a second later.
    }
  }

  async function readNow(): Promise<void> {
    readAt = now();
    others = (await rows?.readOthers().catch(() => undefined)) ?? others;
    reading = undefined;
  }

  return {
    of: (server) => addUp([own(server), ...(others.get(server) ?? [])]),
    refresh() {
      if (rows === undefined || now() - readAt < readEveryMs) return Promise.resolve();
      reading ??= readNow();
      return withDatabaseTimeout(reading, timeoutMs).catch(() => {});
    },
    async close() {
      clearInterval(timer);
      const reportedAll = (publishing ?? Promise.resolve()).then(publish);
      await withDatabaseTimeout(reportedAll, timeoutMs).catch(() => {});
    },
  };
}

/** The statements on the table `server_calls`. Ages are judged with the database's clock. */

export interface ServerCallRows {
  /** Replaces this process's summaries of these servers. */
  write(summaries: ReadonlyMap<string, ServerCallSummary>): Promise<void>;
  /** The summaries of other processes, by server. */
  readOthers(): Promise<ReadonlyMap<string, readonly ServerCallSummary[]>>;
}

interface StoredRow {
  readonly server: string;
  readonly calls: number;
  readonly errors: number;
  readonly in_flight: number;
  readonly recent: string;
}

/** Running calls are published every second; those of a process that was silent for longer do not count. */
const inFlightForSeconds = 5;
/** The calls of a process that ended count for a day. */
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
