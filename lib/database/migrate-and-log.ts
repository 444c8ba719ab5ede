import type { Log } from '../log.ts';
import type { Database } from './database.ts';
import { type Migration, migrate } from './migrate.ts';

export interface LoggedMigrationDeps {
  readonly database: Database;
  readonly migrations: readonly Migration[];
  /** What readiness says meanwhile; undefined: nothing holds up the start any more. */
  readonly waitFor: (what: string | undefined) => void;
  readonly log: Log;
}

/** Migrates, and says so in the log and to whoever asks why the service is not ready: it may take long. */
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
