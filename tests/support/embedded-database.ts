import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { Database } from '../../lib/database/database.ts';
import { openDatabase } from '../../lib/database/drivers/node-open-database.ts';
import { migrate } from '../../lib/database/migrate.ts';
import { readMigrations } from '../../lib/database/node-migrations.ts';
import { silentLog } from '../../lib/log.ts';

/**
 * An embedded database that is up to date, in a directory that holds none yet. Where the runner has made one
 * already (`TEST_EMBEDDED_DATABASE`) it is a copy of that; else, of a file that is run alone, it is made.
 */
export async function openEmbeddedDatabase(directory: string): Promise<Database> {
  await copyPreparedDatabase(directory);
  const database = await openDatabase({ kind: 'pglite', directory }, { log: silentLog });
  await migrate(database, await readMigrations());
  return database;
}

/** Without the runner's the directory stays as it is, and the first one to open it makes the database. */
export async function copyPreparedDatabase(directory: string): Promise<void> {
  const prepared = process.env.TEST_EMBEDDED_DATABASE;
  if (!prepared) return;
  await mkdir(directory, { recursive: true });
  // Node's own copy takes twice as long for its thousand files.
  await promisify(execFile)('cp', ['-Rp', `${prepared}/.`, directory]);
}
