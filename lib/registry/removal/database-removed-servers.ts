import type { Database } from '../../database/database.ts';
import type { RemovedServers } from './removed-servers.ts';

/** The record of removed servers in the table `removed_servers`, which all processes of an installation share. */
export function createRemovedServers(database: Database): RemovedServers {
  return {
    async originOf(server) {
      const [row] = await database.query<{ origin: string }>(
        'select origin from removed_servers where server = $1',
        [server],
      );
      return row?.origin;
    },
    async keep(server, origin) {
      await database.query(
        `insert into removed_servers (server, origin) values ($1, $2)
         on conflict (server) do update set origin = excluded.origin`,
        [server, origin],
      );
    },
    async forget(server) {
      await database.query('delete from removed_servers where server = $1', [server]);
    },
  };
}
