/** The tables of the container store without a database: they answer its queries only. For faults of databases. */
import type { Queryable } from '../../lib/database/database.ts';
import { databaseUnavailable } from '../../lib/failure.ts';

export interface KeeperTables extends Queryable {
  /** Rows of `containers`, by container. */
  readonly containers: Map<string, unknown[]>;
  readonly images: Map<string, unknown[]>;
  readonly volumes: Map<string, unknown[]>;
  isAway: boolean;
}

const columns: Readonly<Record<string, readonly string[]>> = {
  containers: ['container_id', 'server', 'session_id', 'config_hash'],
  server_images: ['server', 'reference', 'image_id', 'previous_reference', 'previous_image_id'],
  server_volumes: ['server', 'session_id', 'path', 'volume', 'origin'],
  image_digests: ['image_id', 'name'],
};
/** How many of the first columns say which row it is. */
const keys: Readonly<Record<string, number>> = {
  containers: 1,
  server_images: 1,
  server_volumes: 3,
  image_digests: 1,
};

export function createKeeperTables(): KeeperTables {
  const tables = new Map(Object.keys(columns).map((table) => [table, new Map<string, unknown[]>()]));
  const tableOf = (name: string) => {
    const table = tables.get(name);
    if (table === undefined) throw new Error(`there is no table ${name}`);
    return table;
  };

  const database: KeeperTables = {
    containers: tableOf('containers'),
    images: tableOf('server_images'),
    volumes: tableOf('server_volumes'),
    isAway: false,
    async query<Row>(text: string, values: readonly unknown[] = []) {
      if (database.isAway) throw databaseUnavailable();
      const name = /(?:into|from) (\w+)/.exec(text)?.[1] ?? '';
      const table = tableOf(name);
      const key = JSON.stringify(values.slice(0, keys[name]));
      if (text.startsWith('insert')) table.set(name === 'containers' ? String(values[0]) : key, [...values]);
      else if (text.startsWith('delete')) table.delete(name === 'containers' ? String(values[0]) : key);
      else {
        const wanted = [...table.values()].filter(([first]) => values.length === 0 || first === values[0]);
        return wanted.map((row) => {
          return Object.fromEntries(
            columns[name]?.map((column, at) => [column, row[at] ?? null]) ?? [],
          ) as Row;
        });
      }
      return [];
    },
  };
  return database;
}
