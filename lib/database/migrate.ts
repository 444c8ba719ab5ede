/**
 * Migrates the schema: applies the migrations that `schema_migrations` lacks, in order, all or none. Processes that
 * start at once wait for each other, without a limit in time: an upgrade takes as long as the tables are large.
 * Migrations are not reversible: another migration undoes one.
 */

import type { Log } from '../log.ts';
import type { Database, Queryable } from './database.ts';

export interface Migration {
  /** Orders and identifies the migration; must never change once released. */
  readonly name: string;
  /** Plain SQL, one or many statements. */
  readonly sql: string;
}

/** Receives the steps that may take long. */
export interface MigrationWatch {
  /** Another process migrates this database; this one waits. */
  onWait(): void;
  /** These migrations are being applied. */
  onBegin(names: readonly string[]): void;
}

/** Any number that no other advisory lock of this service uses. */
const migrationLock = 3_701_001;
const noWatch: MigrationWatch = { onWait() {}, onBegin() {} };

/** Resolves with the names of the applied migrations. */
export async function migrate(
  database: Pick<Database, 'query' | 'transaction'>,
  migrations: readonly Migration[],
  watch: MigrationWatch = noWatch,
): Promise<string[]> {
  // Read first without a lock or a write: usually no migration is due, and the database may be read-only.
  if (missingOf(migrations, await readApplied(database)).length === 0) return [];
  return await database.transaction((transaction) => applyMissing(transaction, migrations, watch), {
    isUnlimited: true,
  });
}

async function applyMissing(
  transaction: Queryable,
  migrations: readonly Migration[],
  watch: MigrationWatch,
): Promise<string[]> {
  await takeLock(transaction, watch);
  await transaction.query(
    `create table if not exists schema_migrations (
      name text primary key,
      applied_at timestamptz not null default now()
    )`,
  );
  const names = missingOf(migrations, await readApplied(transaction));
  if (names.length > 0) watch.onBegin(names);
  for (const { name, sql } of migrations.filter(({ name }) => names.includes(name))) {
    await transaction.query(sql);
    await transaction.query('insert into schema_migrations (name) values ($1)', [name]);
  }
  return names;
}

async function takeLock(transaction: Queryable, watch: MigrationWatch): Promise<void> {
  const [row] = await transaction.query<{ is_ours: boolean }>(
    'select pg_try_advisory_xact_lock($1) as is_ours',
    [migrationLock],
  );
  if (row?.is_ours) return;
  watch.onWait();
  await transaction.query('select pg_advisory_xact_lock($1)::text', [migrationLock]);
}

async function readApplied(database: Queryable): Promise<Set<string>> {
  const [table] = await database.query<{ is_there: boolean }>(
    "select to_regclass('schema_migrations') is not null as is_there",
  );
  if (!table?.is_there) return new Set();
  const rows = await database.query<{ name: string }>('select name from schema_migrations');
  return new Set(rows.map(({ name }) => name));
}

function missingOf(migrations: readonly Migration[], applied: ReadonlySet<string>): string[] {
  return migrations.map(({ name }) => name).filter((name) => !applied.has(name));
}

export interface LoggedMigrationDeps {
  readonly database: Database;
  readonly migrations: readonly Migration[];
  /** The reason for not being ready meanwhile; undefined: the start continues. */
  readonly waitFor: (what: string | undefined) => void;
  readonly log: Log;
}

/** Migrates, and reports this in the log and in readiness: a migration may take long. */
export async function migrateAndLog({ database, migrations, waitFor, log }: LoggedMigrationDeps) {
  const startedAt = performance.now();
  const watch = {
    onWait() {
      waitFor('The database is being migrated by another process.');
      log.info({ database: database.label }, 'another process migrates the database; waiting for it');
    },
    onBegin(names: readonly string[]) {
      waitFor('The database is being migrated.');
      log.info(
        { database: database.label, count: names.length, migrations: names },
        'migrating the database',
      );
    },
  };
  try {
    const applied = await migrate(database, migrations, watch);
    const milliseconds = Math.round(performance.now() - startedAt);
    if (applied.length > 0) log.info({ count: applied.length, milliseconds }, 'the database is migrated');
  } finally {
    waitFor(undefined);
  }
}
