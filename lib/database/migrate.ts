/**
 * Brings the schema up to date: applies the migrations that `schema_migrations` does not name yet, in order,
 * all or none. Processes that start at once wait for each other. There is no way back: undoing a migration is
 * another migration.
 */
import type { Database, Queryable } from './database.ts';

export interface Migration {
  /** Orders and identifies it; must never change once released. */
  readonly name: string;
  /** Plain SQL, one or many statements. */
  readonly sql: string;
}

/** Any number that no other advisory lock of this service uses. */
const migrationLock = 3_701_001;

/** Resolves to the names it applied. */
export async function migrate(database: Database, migrations: readonly Migration[]): Promise<string[]> {
  return await database.transaction(async (transaction) => {
    await transaction.query('select pg_advisory_xact_lock($1)::text', [migrationLock]);
    const applied = await readApplied(transaction);
    const missing = migrations.filter(({ name }) => !applied.has(name));
    for (const { name, sql } of missing) {
      await transaction.query(sql);
      await transaction.query('insert into schema_migrations (name) values ($1)', [name]);
    }
    return missing.map(({ name }) => name);
  });
}

async function readApplied(transaction: Queryable): Promise<Set<string>> {
  await transaction.query(
    `create table if not exists schema_migrations (
      name text primary key,
      applied_at timestamptz not null default now()
    )`,
  );
  const rows = await transaction.query<{ name: string }>('select name from schema_migrations');
  return new Set(rows.map(({ name }) => name));
}
