import type { Database } from '../../database/database.ts';
import type { SeenConfigs } from './seen-configs.ts';

/** Table `seen_configs`. The identity of a folder means something on the machine of its installation only. */
export function createSeenConfigs({
  database,
  installationId,
}: {
  readonly database: Database;
  readonly installationId: string;
}): SeenConfigs {
  return {
    async read() {
      const rows = await database.query<{ server: string; folder: string }>(
        'select server, folder from seen_configs where installation = $1',
        [installationId],
      );
      return new Map(rows.map(({ server, folder }) => [server, folder]));
    },
    async note(servers, folder) {
      await database.query(
        `insert into seen_configs (installation, server, folder)
         select $1, name, $3 from servers where name = any($2::text[])
         on conflict (installation, server) do update set folder = $3`,
        [installationId, servers, folder],
      );
    },
  };
}
