import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import type { Database, DatabaseTarget } from '../../lib/database/database.ts';
import { openDatabase } from '../../lib/database/drivers/node-open-database.ts';
import { migrate } from '../../lib/database/migrate.ts';
import { readMigrations } from '../../lib/database/node-migrations.ts';
import { silentLog } from '../../lib/log.ts';
import { openEmbeddedDatabase } from './embedded-database.ts';
import { createTestDatabase } from './postgres.ts';
import { scratchFolder } from './scratch-folder.ts';

export interface EachDatabase {
  /** Of the suites, before the name of the database. */
  readonly name: string;
  /** Emptied before each test. */
  readonly table: string;
  /** As an installation of an earlier version: only the migrations whose names come before this one. */
  readonly before?: string;
}

export interface SuiteOnDatabase {
  readonly test: ReturnType<typeof suite>;
  readonly database: () => Database;
}

/** A suite for every database that is there, each new and brought up to date. */
export async function eachDatabase({
  name,
  table,
  before,
}: EachDatabase): Promise<readonly SuiteOnDatabase[]> {
  // Both before the first suite runs: uvu starts what it knows as soon as a file waits.
  const connectionString = await createTestDatabase(name.replaceAll(' ', '_'));
  const folder = await mkdtemp(join(scratchFolder(), 'svc-mcp-database-'));

  async function openAsBefore(target: DatabaseTarget): Promise<Database> {
    const database = await openDatabase(target, { log: silentLog });
    const migrations = await readMigrations();
    await migrate(database, before ? migrations.filter((one) => one.name < before) : migrations);
    return database;
  }

  function createSuite(kind: string, open: () => Promise<Database>, clean = async () => {}): SuiteOnDatabase {
    const test = suite(`${name}: ${kind}`);
    let database: Database;

    test.before(async () => {
      database = await open();
    });
    test.before.each(async () => {
      await database.query(`delete from ${table}`);
    });
    test.after(async () => {
      await database.close();
      await clean();
    });
    return { test, database: () => database };
  }

  const directory = join(folder, 'database');
  const openEmbedded = () =>
    before ? openAsBefore({ kind: 'pglite', directory }) : openEmbeddedDatabase(directory);
  const embedded = createSuite('embedded', openEmbedded, () => rm(folder, { recursive: true, force: true }));
  return connectionString
    ? [embedded, createSuite('Postgres', () => openAsBefore({ kind: 'postgres', connectionString }))]
    : [embedded];
}
