import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Database } from '../../../lib/database/database.ts';
import { createNeonDatabase } from '../../../lib/database/drivers/neon-database.ts';
import { silentLog } from '../../../lib/log.ts';
import { type NeonProxy, startNeonProxy } from '../../support/neon-proxy.ts';
import { createTestDatabase } from '../../support/postgres.ts';
import { codeOf, describeDatabase } from './database-contract.ts';

const test = suite('database: Neon');
const url = await createTestDatabase('neon_contract');

if (url) {
  let proxy: NeonProxy;
  let database: Database;

  test.before(async () => {
    proxy = await startNeonProxy();
    database = createNeonDatabase({
      connectionString: url,
      log: silentLog,
      canListen: true,
      settings: proxy.settings,
    });
  });
  test.after(async () => {
    await database.close();
    await proxy.close();
  });

  describeDatabase(test, () => database);

  test('has no LISTEN unless the host keeps connections', async () => {
    const other = createNeonDatabase({ connectionString: url, log: silentLog });

    assert.is(other.listen, undefined);
    await other.close();
  });

  test('a proxy that is away is an unavailable database', async () => {
    const other = createNeonDatabase({
      connectionString: url,
      log: silentLog,
      settings: { ...proxy.settings, wsProxy: '127.0.0.1:1/v1' },
    });

    assert.is(await codeOf(other.query('select 1')), 'database_unavailable');
    await other.close();
  });
} else {
  test.skip('Postgres is not there', () => {});
}

test.run();
