/** The statements on the table `server_calls`. Ages are judged with the database's clock. */
import type { Queryable } from '../database/database.ts';
import type { RecentCall } from './metrics.ts';
import type { ServerCallSummary } from './server-calls.ts';

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
