/** One list of promises over every database that can hold offers and subscriptions. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import type { Database } from '../../lib/database/database.ts';
import { migrate } from '../../lib/database/migrate.ts';
import { readMigrations } from '../../lib/database/node-migrations.ts';
import { openDatabase } from '../../lib/database/node-open-database.ts';
import { silentLog } from '../../lib/observe/log.ts';
import { createTestDatabase } from '../support/postgres.ts';
import { describeOffers } from './offers-contract.ts';

// Before the first suite runs: uvu starts what it knows as soon as a file waits.
const postgresUrl = await createTestDatabase('offers');
const folder = await mkdtemp(join(tmpdir(), 'svc-mcp-offers-'));

function describeOn(name: string, open: () => Promise<Database>): void {
  const test = suite(`offers: ${name}`);
  let database: Database;

  test.before(async () => {
    database = await open();
    await migrate(database, await readMigrations());
  });
  test.before.each(async () => {
    await database.query('delete from servers');
  });
  test.after(async () => {
    await database.close();
    await rm(folder, { recursive: true, force: true });
  });
  describeOffers(test, () => database);
  test.run();
}

describeOn('embedded', () =>
  openDatabase({ kind: 'pglite', directory: join(folder, 'database') }, { log: silentLog }),
);
if (postgresUrl) {
  describeOn('Postgres', () =>
    openDatabase({ kind: 'postgres', connectionString: postgresUrl }, { log: silentLog }),
  );
}
