import type { Database } from '../../database/database.ts';

/**
 * The origins of servers that were removed while groups had them ticked. Their names are free, but agents of those groups
 * would call the next server of such a name.
 */
export interface RemovedServers {
  /** Hash of the origin (`server-origin.ts`), '' for an unknown origin; undefined: no record. */
  originOf(server: string): Promise<string | undefined>;
  /** Replaces an earlier record of the server. */
  record(server: string, origin: string): Promise<void>;
  delete(server: string): Promise<void>;
}

/** Stored in the table `removed_servers`, which all processes of an installation share. */
export function createRemovedServers(database: Database): RemovedServers {
  return {
    async originOf(server) {
      const [row] = await database.query<{ origin: string }>(
        'select origin from removed_servers where server = $1',
        [server],
      );
      return row?.origin;
    },
    async record(server, origin) {
      await database.query(
        `insert into removed_servers (server, origin) values ($1, $2)
         on conflict (server) do update set origin = excluded.origin`,
        [server, origin],
      );
    },
    async delete(server) {
      await database.query('delete from removed_servers where server = $1', [server]);
    },
  };
}
