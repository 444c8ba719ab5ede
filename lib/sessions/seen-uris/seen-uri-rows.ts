/** The statements on the table `seen_uris`. Ages are judged with the database's clock. */
import type { Queryable } from '../../database/database.ts';

export interface SeenUri {
  /** A hash of group and URI. */
  readonly key: string;
  readonly group: string;
  readonly server: string;
}

export interface SeenUriLimits {
  /** Of one server in one group, so that no server drives out what others showed. */
  readonly mostOfServer: number;
  readonly most: number;
  readonly seconds: number;
}

export interface SeenUriRows {
  /** The last of one key counts. Those of servers that are gone are left out. */
  write(seen: readonly SeenUri[]): Promise<void>;
  /** Servers by key. */
  read(keys: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** The oldest beyond each limit. */
  removeBeyond(limits: SeenUriLimits): Promise<void>;
}

export function createSeenUriRows(database: Queryable): SeenUriRows {
  return {
    async write(seen) {
      const latest = [...new Map(seen.map((one) => [one.key, one])).values()];
      // Ordered by the database: two processes that take rows in different orders wait for each other, and the join
      // with `servers` keeps no order of its input.
      await database.query(
        `insert into seen_uris (key, group_name, server)
        select key, group_name, server from unnest($1::text[], $2::text[], $3::text[])
          as seen (key, group_name, server)
        where exists (select from servers where name = server)
        order by key
        on conflict (key) do update set server = excluded.server, shown_at = now()`,
        [latest.map(({ key }) => key), latest.map(({ group }) => group), latest.map(({ server }) => server)],
        'write-seen-uris',
      );
    },
    async read(keys) {
      const rows = await database.query<{ key: string; server: string }>(
        'select key, server from seen_uris where key = any($1::text[])',
        [keys],
        'read-seen-uris',
      );
      return new Map(rows.map(({ key, server }) => [key, server]));
    },
    async removeBeyond({ mostOfServer, most, seconds }) {
      await database.query(
        `delete from seen_uris where key in (
          select key from seen_uris where key in (
            select key from (
              select key, shown_at,
                row_number() over (partition by group_name, server order by shown_at desc, key) as place_of_server,
                row_number() over (order by shown_at desc, key) as place
              from seen_uris
            ) as placed
            where place_of_server > $1 or place > $2 or shown_at < now() - make_interval(secs => $3)
          ) for update skip locked
        )`,
        [mostOfServer, most, seconds],
        'remove-seen-uris',
      );
    },
  };
}
