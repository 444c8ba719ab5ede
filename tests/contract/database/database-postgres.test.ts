import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Database } from '../../../lib/database/database.ts';
import { openDatabase } from '../../../lib/database/drivers/node-open-database.ts';
import { silentLog } from '../../../lib/log.ts';
import { createTestDatabase } from '../../support/postgres.ts';
import { describeDatabase } from './database-contract.ts';

const test = suite('database: Postgres');
const url = await createTestDatabase('database_contract');

if (url) {
  let database: Database;

  test.before(async () => {
    database = await openDatabase({ kind: 'postgres', connectionString: url }, { log: silentLog });
  });
  test.after(() => database.close());

  describeDatabase(test, () => database);

  test('is labelled by host and database name, without the password', async () => {
    const secret = 'kept-secret';
    const other = await openDatabase(
      { kind: 'postgres', host: 'db', port: 5432, database: 'svc', user: 'me', password: secret },
      { log: silentLog },
    );

    assert.is(other.label, 'db/svc');
    assert.match(database.label, /^127\.0\.0\.1\/database_contract_[0-9a-f]{8}$/);
    await other.close();
  });

  test('a malformed address is refused without being repeated', async () => {
    const error = await openDatabase(
      { kind: 'postgres', connectionString: 'postgres://me:kept-secret@[bad' },
      { log: silentLog },
    ).catch((reason: unknown) => reason as Error);

    assert.match(String((error as Error).stack), 'DATABASE_URL: expected an address');
    assert.not.match(String((error as Error).stack), 'kept-secret');
  });
} else {
  test.skip('Postgres is not there', () => {});
}

test.run();
