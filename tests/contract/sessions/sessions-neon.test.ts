import { suite } from 'uvu';
import { createNeonDatabase } from '../../../lib/database/drivers/neon-database.ts';
import { silentLog } from '../../../lib/log.ts';
import { startNeonProxy } from '../../support/neon-proxy.ts';
import { createTestDatabase } from '../../support/postgres.ts';
import { describeSessionsOn } from './sessions-rows-contract.ts';

const test = suite('sessions: Neon');
const url = await createTestDatabase('sessions_neon');

if (url) {
  const proxy = await startNeonProxy();
  describeSessionsOn(
    test,
    async () => createNeonDatabase({ connectionString: url, log: silentLog, settings: proxy.settings }),
    proxy.close,
  );
} else {
  test.skip('Postgres is not there', () => {});
}

test.run();
