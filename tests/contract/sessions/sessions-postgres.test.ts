import { suite } from 'uvu';
import { openDatabase } from '../../../lib/database/drivers/node-open-database.ts';
import { silentLog } from '../../../lib/log.ts';
import { createTestDatabase } from '../../support/postgres.ts';
import { describeSessionsOn } from './sessions-rows-contract.ts';

const test = suite('sessions: Postgres');
const url = await createTestDatabase('sessions');

if (url) {
  describeSessionsOn(test, () =>
    openDatabase({ kind: 'postgres', connectionString: url }, { log: silentLog }),
  );
} else {
  test.skip('Postgres is not there', () => {});
}

test.run();
