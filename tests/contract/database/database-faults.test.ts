/** A real Postgres that crashes, hangs and comes back, on a cluster of its own. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { connectWithRetry } from '../../../lib/database/connect-with-retry.ts';
import type { Database } from '../../../lib/database/database.ts';
import { openDatabase } from '../../../lib/database/drivers/node-open-database.ts';
import { silentLog } from '../../../lib/log.ts';
import { startPostgres } from '../../support/postgres.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { codeOf } from './database-contract.ts';

const test = suite('database: Postgres with faults');
const postgres = await startPostgres();

if (postgres) {
  const { url, start, stop, pause, resume } = postgres;
  let database: Database;

  test.before(async () => {
    database = await openDatabase({ kind: 'postgres', connectionString: url }, { log: silentLog });
    await database.query('create table kept (a int)');
  });
  test.after(async () => {
    await database.close();
    await stop('immediate');
  });

  test('a crash fails what is under way as unavailable, and the next statement after it works', async () => {
    const sleeping = codeOf(database.query('select pg_sleep(2)'));
    const transacting = codeOf(
      database.transaction(async (transaction) => {
        await transaction.query('insert into kept values (1)');
        await transaction.query('select pg_sleep(2)');
      }),
    );
    await waitUntil('both are under way', async () => {
      const [row] = await database.query<{ busy: number }>(
        "select count(*)::int as busy from pg_stat_activity where query = 'select pg_sleep(2)'",
      );
      return row?.busy === 2;
    });

    await stop('immediate');

    assert.equal(await Promise.all([sleeping, transacting]), [
      'database_unavailable',
      'database_unavailable',
    ]);
    assert.is(await codeOf(database.query('select 1')), 'database_unavailable');
    await start();
    assert.equal(await database.query('select a from kept'), []);
  });

  test('a crash between the statements of a transaction fails the next statement of it', async () => {
    const code = await codeOf(
      database.transaction(async (transaction) => {
        await transaction.query('insert into kept values (2)');
        await stop('immediate');
        await transaction.query('insert into kept values (3)');
      }),
    );

    assert.is(code, 'database_unavailable');
    await start();
    assert.equal(await database.query('select a from kept'), []);
  });

  test('a listener tells of the gap after a crash, and hears again', async () => {
    const heard: string[] = [];
    let gaps = 0;
    const unlisten = await database.listen?.(
      'faults',
      (payload) => heard.push(payload),
      () => {
        gaps += 1;
      },
    );

    await stop('immediate');
    await start();
    await waitUntil('the gap was told', () => gaps > 0, { limitMs: 5000 });
    await database.query("select pg_notify('faults', 'again')");
    await waitUntil('the notification came', () => heard.length > 0);

    assert.is(gaps, 1);
    assert.equal(heard, ['again']);
    await unlisten?.();
  });

  test('a listener that begins while the server is away hears once it is there', async () => {
    await stop('fast');
    const heard: string[] = [];
    let gaps = 0;
    const unlisten = await database.listen?.(
      'faults',
      (payload) => heard.push(payload),
      () => {
        gaps += 1;
      },
    );

    await start();
    await waitUntil('the gap was told', () => gaps === 1, { limitMs: 5000 });
    await database.query("select pg_notify('faults', 'hello')");
    await waitUntil('the notification came', () => heard.length > 0);

    assert.equal(heard, ['hello']);
    await unlisten?.();
  });

  test('a server that hangs looks unavailable within 3 s, and serves again when it goes on', async () => {
    await database.query('select 1');

    pause();
    const startedAt = performance.now();
    const codes = await Promise.all(Array.from({ length: 20 }, () => codeOf(database.query('select 1'))));
    const tookMs = performance.now() - startedAt;
    resume();

    assert.equal([...new Set(codes)], ['database_unavailable']);
    assert.ok(tookMs < 3000, `took ${tookMs} ms`);
    assert.equal(await database.query('select 1 as one'), [{ one: 1 }]);
  });

  test('connecting waits for a server that comes later, telling of each failure', async () => {
    await stop('fast');
    const failures: string[] = [];

    const connected = connectWithRetry(() => database.query('select 1 as one'), {
      onFailure: ({ code }) => failures.push(code),
      firstDelayMs: 50,
    });
    await waitUntil('it failed twice', () => failures.length >= 2);
    await start();

    assert.equal(await connected, [{ one: 1 }]);
    assert.equal([...new Set(failures)], ['database_unavailable']);
  });
} else {
  test.skip('Postgres is not there', () => {});
}

test.run();
