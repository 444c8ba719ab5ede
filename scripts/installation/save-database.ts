/** The embedded database of an installation as two files of a fixture: its folder, and its rows as SQL for Postgres. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import type { Queryable } from '../../lib/database/database.ts';

/** Each after those that its rows refer to. */
const tables = [
  'schema_migrations',
  'servers',
  'tools',
  'accepted_tools',
  'sessions',
  'containers',
  'deployment',
  'container_owner',
  'unfinished_registrations',
  'server_offers',
  'session_subscriptions',
  'event_streams',
  'stream_events',
  'client_requests',
  'server_calls',
];

/** @param checkout The version that made it: its own migrations make the schema. */
export async function writeSql(database: Queryable, checkout: string, path: string): Promise<void> {
  const migrations = join(checkout, 'lib/database/migrations');
  const schema = readdirSync(migrations).sort();
  const parts = [
    'create table schema_migrations (name text primary key, applied_at timestamptz not null default now());',
    ...schema.map((file) => `-- ${file}\n${readFileSync(join(migrations, file), 'utf8')}`),
  ];
  await assertComplete(database);
  for (const table of tables) parts.push(`-- ${table}`, ...(await insertsOf(database, table)));
  writeFileSync(path, `${parts.join('\n')}\n`);
}

/** Most of the folder is the same three times over and zeros: with a window as large as it, a thirtieth is left. */
export function packFolder(dataDir: string, path: string): void {
  const owner = ['--owner=0', '--group=0', '--numeric-owner', '--mtime=@0', '--sort=name'];
  const archive = execFileSync('tar', [...owner, '-cf', '-', '-C', dataDir, 'database'], {
    maxBuffer: 2 ** 28,
  });
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 11,
    [constants.BROTLI_PARAM_LGWIN]: 24,
    [constants.BROTLI_PARAM_SIZE_HINT]: archive.length,
  };
  writeFileSync(path, brotliCompressSync(archive, { params }));
}

async function assertComplete(database: Queryable): Promise<void> {
  const found = await database.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public'`,
  );
  const unknown = found.map(({ name }) => name).filter((name) => !tables.includes(name));
  if (unknown.length > 0) throw new Error(`Add to the list of tables, in order: ${unknown.join(', ')}`);
}

async function insertsOf(database: Queryable, table: string): Promise<string[]> {
  const columns = await database.query<{ name: string }>(
    `select column_name as name from information_schema.columns
     where table_schema = 'public' and table_name = $1 order by ordinal_position`,
    [table],
  );
  const names = columns.map(({ name }) => name);
  const values = names.map((name) => `quote_nullable(${name}::text)`).join(` || ', ' || `);
  const rows = await database.query<{ sql: string }>(
    `select 'insert into ${table} (${names.join(', ')}) values (' || ${values} || ');' as sql from ${table} order by 1`,
  );
  return rows.map(({ sql }) => sql);
}
