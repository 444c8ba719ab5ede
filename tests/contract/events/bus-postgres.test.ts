import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Database } from '../../../lib/database/database.ts';
import { openDatabase } from '../../../lib/database/drivers/node-open-database.ts';
import { silentLog } from '../../../lib/log.ts';
import { startPostgres } from '../../support/postgres.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { describeBus, openBus } from './bus-contract.ts';

const test = suite('bus: Postgres');
const postgres = await startPostgres();

if (postgres) {
  const { url, start, stop } = postgres;
  let database: Database;

  test.before(async () => {
    database = await openDatabase({ kind: 'postgres', connectionString: url }, { log: silentLog });
  });
  test.after(async () => {
    await database.close();
    await stop('immediate');
  });

  describeBus(test, () => database);

  test('over a crash of the server: news wait, each process hears of its gap, and the news arrive', async () => {
    const here = await openBus(database, 'here');
    const there = await openBus(database, 'there');
    await stop('immediate');
    here.bus.publish({ type: 'group', name: 'meanwhile' });
    assert.equal(here.heard, [['group', 'meanwhile', 'local']]);

    await start();
    await waitUntil('both were told of the gap', () => here.gaps.count > 0 && there.gaps.count > 0);
    // Each is told by its own look, too, while it does not hear yet: what is sent then is covered by another gap.
    await waitUntil('news arrive', () => {
      here.bus.publish({ type: 'group', name: 'after' });
      return there.heard.some(([, name]) => name === 'after');
    });

    assert.ok(here.heard.every(([, , origin]) => origin === 'local'));
    await Promise.all([here.bus.close(), there.bus.close()]);
  });
} else {
  test.skip('Postgres is not there', () => {});
}

test.run();
