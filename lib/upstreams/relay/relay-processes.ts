import type { Database } from '../../database/database.ts';
import type { Log } from '../../log.ts';
import type { RelayOwner } from './remote-upstreams.ts';

/**
 * The processes that take calls of others (table `relay_processes`): managers, which have the programs, secrets and files
 * that a process without folders lacks (docs/decisions/0029). Any number of them may run, and all callers choose the one
 * that began first, so that a server's children and sessions are in one place. One that starts again keeps its place while
 * nobody had the time to take it.
 */
export interface RelayProcesses {
  /** With which callers of this process authenticate. */
  readonly token: string;
  /** From now on others find this process. While the database is away it goes on trying; never rejects. */
  start(): Promise<void>;
  /** The process that calls go to; undefined while there is none. */
  current(): Promise<RelayOwner | undefined>;
  /** From now on others no longer find this process; those that know it already may still call. */
  end(): Promise<void>;
}

export interface RelayProcessesOptions {
  readonly database: Pick<Database, 'query'>;
  /** The same for each start of one installation, so that the next start replaces the row of one that was killed. */
  readonly processId: string;
  /** The address of this process's manager port for other processes. */
  readonly url: string;
  /** With which others prove that they share the database; random for each start. */
  readonly token: string;
  readonly log: Log;
  readonly heartbeatMs?: number;
  readonly leaseMs?: number;
}

export function createRelayProcesses(options: RelayProcessesOptions): RelayProcesses {
  const { database, processId, url, token, log, heartbeatMs = 2000, leaseMs = 6000 } = options;
  let timer: ReturnType<typeof setInterval> | undefined;
  let beating: Promise<void> | undefined;

  async function beat(): Promise<void> {
    await database
      .query(
        `insert into relay_processes (process_id, url, token, expires_at)
         values ($1, $2, $3, now() + $4::int * interval '1 millisecond')
         on conflict (process_id) do update
           set url = excluded.url, token = excluded.token, expires_at = excluded.expires_at,
             started_at = case
               when relay_processes.token <> excluded.token and relay_processes.expires_at < now() then now()
               else relay_processes.started_at
             end`,
        [processId, url, token, leaseMs],
      )
      .catch((error: unknown) => log.debug({ error }, 'Other processes may not find this one.'));
  }

  /** A slow database is not asked twice at once. */
  function beatSoon(): void {
    beating ??= beat().finally(() => {
      beating = undefined;
    });
  }

  return {
    token,
    async start() {
      timer = setInterval(beatSoon, heartbeatMs);
      beatSoon();
      await beating;
    },
    async current() {
      const [row] = await database.query<{ url: string; token: string }>(
        `select url, token from relay_processes where expires_at >= now()
         order by started_at, process_id limit 1`,
      );
      return row && { url: row.url, token: row.token };
    },
    async end() {
      if (timer === undefined) return;
      clearInterval(timer);
      timer = undefined;
      await beating;
      await database.query('delete from relay_processes where process_id = $1', [processId]).catch(() => {});
    },
  };
}
