/** The journal of registrations, over every database that can hold it. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createRegistrationJournal } from '../../lib/catalog/database-journal.ts';
import type { Database } from '../../lib/database/database.ts';
import { migrate } from '../../lib/database/migrate.ts';
import { readMigrations } from '../../lib/database/node-migrations.ts';
import { openDatabase } from '../../lib/database/node-open-database.ts';
import { silentLog } from '../../lib/observe/log.ts';
import { createTestDatabase } from '../support/postgres.ts';

// Before the first suite runs: uvu starts what it knows as soon as a file waits.
const postgresUrl = await createTestDatabase('journal');
const folder = await mkdtemp(join(tmpdir(), 'svc-mcp-journal-'));
let lastId = 0;

function describeOn(name: string, open: () => Promise<Database>): void {
  const test = suite(`journal of registrations: ${name}`);
  let database: Database;
  const startService = (installationId = 'one') =>
    createRegistrationJournal({ database, installationId, newId: () => String(++lastId) });
  const secretsOf = async (journal: ReturnType<typeof startService>) =>
    (await journal.leftBehind()).map(({ secrets }) => secrets);

  test.before(async () => {
    database = await open();
    await migrate(database, await readMigrations());
  });
  test.before.each(async () => {
    await database.query('delete from unfinished_registrations');
  });
  test.after(async () => {
    await database.close();
    await rm(folder, { recursive: true, force: true });
  });

  test('what a service did not strike out, the next one of its installation finds', async () => {
    await startService().note(['A', 'B']);

    assert.equal(await secretsOf(startService()), [['A', 'B']]);
  });

  test('what was struck out is forgotten', async () => {
    const strike = await startService().note(['A']);

    await strike();

    assert.equal(await secretsOf(startService()), []);
  });

  test('a service does not take its own notes for left behind', async () => {
    const journal = startService();

    await journal.note(['A']);

    assert.equal(await secretsOf(journal), []);
  });

  test('notes of another installation are its own business', async () => {
    await startService('other').note(['A']);

    assert.equal(await secretsOf(startService()), []);
  });

  test('what was found is struck out by its id', async () => {
    await startService().note(['A']);
    const journal = startService();
    const [entry] = await journal.leftBehind();

    await journal.strike(entry?.id ?? '');

    assert.equal(await secretsOf(journal), []);
  });

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
