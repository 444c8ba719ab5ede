/**
 * The statements on the table `sessions`. Whether a row has expired is judged with the database's clock alone,
 * so replicas with odd clocks agree.
 */
import type { Database } from '../database/database.ts';
import type { LogLevel } from '../json-rpc/log-level.ts';
import type { Session } from './sessions.ts';

export interface StoredSession {
  readonly session: Session;
  readonly idleSeconds: number;
  readonly isUsed: boolean;
}

export interface Use {
  readonly id: string;
  readonly secondsAgo: number;
}

/** Idle seconds after which a session is gone, and seconds after which a session that was never used is. */
export interface SessionLives {
  readonly ttlSeconds: number;
  readonly unusedSeconds: number;
}

export function createSessionRows(
  database: Pick<Database, 'query'>,
  { ttlSeconds, unusedSeconds }: SessionLives,
) {
  return {
    async insert(sessions: readonly Session[]): Promise<void> {
      await database.query(
        `insert into sessions (id, group_name, protocol_version, client_info, client_capabilities, is_used)
        select id, group_name, protocol_version, client_info::json, client_capabilities::json, false
        from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[])
          as new_row (id, group_name, protocol_version, client_info, client_capabilities)`,
        [
          sessions.map(({ id }) => id),
          sessions.map(({ group }) => group),
          sessions.map(({ protocolVersion }) => protocolVersion),
          sessions.map(({ clientInfo }) => JSON.stringify(clientInfo)),
          sessions.map(({ clientCapabilities }) => JSON.stringify(clientCapabilities)),
        ],
        'insert-sessions',
      );
    },

    /** Undefined when there is no such session or it has expired. */
    async read(id: string): Promise<StoredSession | undefined> {
      const [row] = await database.query<SessionRow>(
        `select group_name, protocol_version, client_info, client_capabilities, log_level, is_used,
          extract(epoch from now() - last_used_at)::float8 as idle_seconds
        from sessions where id = $1 and last_used_at > now() - make_interval(secs => $2)`,
        [id, ttlSeconds],
        'read-session',
      );
      return row && { session: toSession(id, row), idleSeconds: row.idle_seconds, isUsed: row.is_used };
    },

    /**
     * Returns the ids that still have a row. Never moves a last use back: another process may know better.
     * The rows are locked in one order, or two processes that were used by the same sessions wait for each other.
     */
    async writeUses(uses: readonly Use[]): Promise<Set<string>> {
      const rows = await database.query<{ id: string }>(
        `update sessions
        set last_used_at = greatest(last_used_at, now() - make_interval(secs => used.seconds_ago)), is_used = true
        from (
          select locked.id, given.seconds_ago from unnest($1::text[], $2::float8[]) as given (id, seconds_ago)
          join sessions as locked on locked.id = given.id
          order by locked.id for no key update of locked
        ) as used
        where sessions.id = used.id returning sessions.id`,
        [uses.map(({ id }) => id), uses.map(({ secondsAgo }) => secondsAgo)],
      );
      return new Set(rows.map(({ id }) => id));
    },

    /** The ids that have a row, expired or not. */
    async readIds(ids: readonly string[]): Promise<Set<string>> {
      const rows = await database.query<{ id: string }>(
        'select id from sessions where id = any($1::text[])',
        [ids],
      );
      return new Set(rows.map(({ id }) => id));
    },

    async writeLogLevel(id: string, level: LogLevel): Promise<void> {
      await database.query('update sessions set log_level = $2 where id = $1', [id, level]);
    },

    /** True when the session was there and had not expired. */
    async remove(id: string): Promise<boolean> {
      const [row] = await database.query<{ is_live: boolean }>(
        `delete from sessions where id = $1
        returning last_used_at > now() - make_interval(secs => $2) as is_live`,
        [id, ttlSeconds],
      );
      return row?.is_live ?? false;
    },

    async count(): Promise<number> {
      const [row] = await database.query<{ sessions: number }>(
        'select count(*)::int as sessions from sessions',
        [],
        'count-sessions',
      );
      return row?.sessions ?? 0;
    },

    /** Removes rows that expired or were never used, at most `limit` of them, and returns their ids. */
    async removeExpired(limit: number): Promise<string[]> {
      const rows = await database.query<{ id: string }>(
        `delete from sessions where id in (
          select id from sessions where last_used_at <= now() - make_interval(secs => $1)
            or (not is_used and created_at <= now() - make_interval(secs => $2))
          limit $3 for update skip locked
        ) returning id`,
        [ttlSeconds, unusedSeconds, limit],
      );
      return rows.map(({ id }) => id);
    },

    /** Removes the idlest `limit` of the rows that were not used for so many seconds, and returns their ids. */
    async removeIdlest(limit: number, idleSeconds: number): Promise<string[]> {
      const rows = await database.query<{ id: string }>(
        `delete from sessions where id in (
          select id from sessions where last_used_at <= now() - make_interval(secs => $1)
          order by last_used_at limit $2 for update skip locked
        ) returning id`,
        [idleSeconds, limit],
      );
      return rows.map(({ id }) => id);
    },
  };
}

interface SessionRow {
  readonly group_name: string;
  readonly protocol_version: string;
  readonly client_info: Record<string, unknown>;
  readonly client_capabilities: Record<string, unknown>;
  readonly log_level: LogLevel | null;
  readonly is_used: boolean;
  readonly idle_seconds: number;
}

function toSession(id: string, row: SessionRow): Session {
  return {
    id,
    group: row.group_name,
    protocolVersion: row.protocol_version,
    clientInfo: row.client_info,
    clientCapabilities: row.client_capabilities,
    ...(row.log_level === null ? {} : { logLevel: row.log_level }),
  };
}
