/** What a real Postgres refuses and ends by itself, and what it is not allowed to end, on a cluster of its own. */
import pg from 'pg';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Database } from '../../../lib/database/database.ts';
import { createNeonDatabase } from '../../../lib/database/drivers/neon-database.ts';
import { openDatabase } from '../../../lib/database/drivers/node-open-database.ts';
import { migrate, migrateAndLog } from '../../../lib/database/migrate.ts';
import { Failure } from '../../../lib/failure.ts';
import { createGroupLock } from '../../../lib/groups/files/group-lock.ts';
import { silentLog } from '../../../lib/log.ts';
import { startNeonProxy } from '../../support/neon-proxy.ts';
import { startPostgres } from '../../support/postgres.ts';
import { createRecordingLog } from '../../support/recording-log.ts';
import { mountSmallDisk } from '../../support/small-disk.ts';
import { waitUntil } from '../../support/wait-until.ts';

const test = suite('database: limits of Postgres');
const postgres = await startPostgres();
const disk = postgres && mountSmallDisk(24, 'postgres');
const onPostgres = postgres ? test : test.skip;
const onSmallDisk = disk ? test : test.skip;
let database: Database;
let other: Database;
let operator: pg.Client;

test.before(async () => {
  if (!postgres) return;
  database = await openDatabase({ kind: 'postgres', connectionString: postgres.url }, { log: silentLog });
  other = await openDatabase({ kind: 'postgres', connectionString: postgres.url }, { log: silentLog });
  operator = new pg.Client(postgres.url);
  await operator.connect();
  await operator.query('create table things (a int)');
});
test.after(async () => {
  await database?.close();
  await other?.close();
  await operator?.end();
  await postgres?.stop('immediate');
  disk?.remove();
});

async function reasonOf(work: Promise<unknown>): Promise<unknown> {
  const error = await work.then(
    () => undefined,
    (reason) => reason,
  );
  if (error !== undefined && !(error instanceof Failure)) throw error;
  return error?.details?.reason;
}

/** Backends of ours that do something, or hold something. */
async function busyBackends(): Promise<number> {
  const { rows } = await operator.query(
    "select count(*)::int as busy from pg_stat_activity where application_name = 'svc-mcp-gateway' and state <> 'idle'",
  );
  return rows[0].busy;
}

/**
 * A backend notes that it is idle after it has sent its error, so the first look may come too early. Inside the
 * operator's transaction the view is a snapshot of the first look, unless that is thrown away.
 */
async function nothingIsLeft(): Promise<void> {
  await waitUntil(
    'nothing of ours waits in Postgres',
    async () => {
      await operator.query('select pg_stat_clear_snapshot()');
      return (await busyBackends()) === 0;
    },
    { limitMs: 2000 },
  );
}

onPostgres('a statement that takes too long is ended there too, not only given up here', async () => {
  assert.is(await reasonOf(database.query('select pg_sleep(60)')), 'timed_out');

  await waitUntil('it is ended', async () => (await busyBackends()) === 0, { limitMs: 2000 });
  assert.equal(await database.query('select 1 as one'), [{ one: 1 }]);
});

onPostgres('who waits for a table that is locked is told so, and leaves nothing waiting', async () => {
  await operator.query('begin; lock table things');
  const reasons = await Promise.all(
    [1, 2, 3].map((a) => reasonOf(database.query(`insert into things values (${a})`))),
  );
  await nothingIsLeft().finally(() => operator.query('rollback'));

  assert.equal(reasons, ['locked', 'locked', 'locked']);
});

onPostgres("who waits for a group's lock is told so, and leaves nothing waiting", async () => {
  await operator.query("begin; select pg_advisory_xact_lock(hashtext('group:ops'))");
  const reason = await reasonOf(createGroupLock(database)('ops', async () => 'never'));
  await nothingIsLeft().finally(() => operator.query('rollback'));

  assert.is(reason, 'locked');
});

onPostgres(
  'a holder that stands still loses the lock within 8 s, and learns it before it writes',
  async () => {
    let wake = () => {};
    let wasHeld: unknown;
    let hasLock = false;
    const standing = createGroupLock(database)('ops', async (held) => {
      hasLock = true;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
      wasHeld = await reasonOf(held.assertLocked());
      throw new Error('It was stopped.');
    }).catch(() => {});
    await waitUntil('it holds the lock', () => hasLock);

    const taken = await waitUntil('another has it', () => createGroupLock(other)('ops', async () => true), {
      limitMs: 8000,
    });
    wake();
    await standing;

    assert.ok(taken);
    assert.is(wasHeld, 'away');
  },
);

onPostgres('the limits hold on connections of Neon’s driver as well', async () => {
  const proxy = await startNeonProxy();
  const neon = createNeonDatabase({
    connectionString: postgres?.url ?? '',
    log: silentLog,
    settings: proxy.settings,
  });
  await operator.query('begin; lock table things');

  const reason = await reasonOf(neon.query('insert into things values (1)'));
  await operator.query('rollback');
  const slow = await migrate(neon, [{ name: '9100-slow', sql: 'select pg_sleep(3)' }]).catch(String);
  await neon.close();
  await proxy.close();

  assert.is(reason, 'locked');
  assert.equal(slow, ['9100-slow']);
});

onPostgres(
  'a server that became read-only says so, and a look finds it; then all is well again',
  async () => {
    await operator.query('alter system set default_transaction_read_only = on');
    await operator.query('select pg_reload_conf()');
    const found = await waitUntil('a look finds it', () => database.problem());
    const reason = await reasonOf(database.query('insert into things values (1)'));
    const read = await database.query('select 1 as one');
    await operator.query('alter system reset default_transaction_read_only');
    await operator.query('select pg_reload_conf()');

    assert.match(found, 'read-only');
    assert.is(reason, 'read_only');
    assert.equal(read, [{ one: 1 }]);
    await waitUntil('all is well', async () => (await database.problem()) === undefined);
    await database.query('insert into things values (1)');
  },
);

onSmallDisk('a full disk is told as such, and that it has room again is found out', async () => {
  await operator.query(`create tablespace small location '${disk?.path}'`);
  await operator.query('create database small tablespace small');
  const url = new URL(postgres?.url ?? '');
  url.pathname = '/small';
  const small = await openDatabase({ kind: 'postgres', connectionString: url.href }, { log: silentLog });
  await small.query('create table filled (a text)');
  const fill = () =>
    reasonOf(small.query("insert into filled select repeat('x', 1000) from generate_series(1, 1000)"));
  assert.is(await small.problem(), undefined);

  disk?.fill();
  const reason = await fill();
  const problem = await small.problem();
  disk?.empty();

  assert.is(reason, 'full');
  assert.match(problem ?? '', 'full');
  await waitUntil('all is well', async () => (await small.problem()) === undefined);
  assert.is(await fill(), undefined);
  await small.close();
});

onPostgres('a migration takes as long as it takes, and says that it runs', async () => {
  const { log, logged } = createRecordingLog();
  const reasons: (string | undefined)[] = [];
  const migrations = [{ name: '9101-slow', sql: 'select pg_sleep(3)' }];

  await migrateAndLog({ database, migrations, waitFor: (what) => reasons.push(what), log });

  assert.equal(reasons, ['The database is being migrated.', undefined]);
  assert.equal(
    logged.map(({ message, fields: { count, migrations } }) => ({ message, count, migrations })),
    [
      { message: 'migrating the database', count: 1, migrations: ['9101-slow'] },
      { message: 'the database is migrated', count: 1, migrations: undefined },
    ],
  );
});

onPostgres(
  'of two that start at once one migrates, and the other waits without a limit, saying so',
  async () => {
    const migrations = [{ name: '9102-slow', sql: 'select pg_sleep(3)' }];
    const reasons: (string | undefined)[] = [];
    const start = (one: Database) =>
      migrateAndLog({ database: one, migrations, waitFor: (what) => reasons.push(what), log: silentLog });

    await Promise.all([start(database), start(other)]);

    assert.equal(reasons.sort(), [
      'The database is being migrated by another process.',
      'The database is being migrated.',
      undefined,
      undefined,
    ]);
  },
);

onPostgres('an installation that is up to date starts on a read-only database', async () => {
  const migrations = [{ name: '9103-quick', sql: 'select 1' }];
  await migrate(database, migrations);
  await operator.query('alter system set default_transaction_read_only = on');
  await operator.query('select pg_reload_conf()');
  await waitUntil('it is read-only', () => database.problem());

  const applied = await migrate(database, migrations);
  await operator.query('alter system reset default_transaction_read_only');
  await operator.query('select pg_reload_conf()');

  assert.equal(applied, []);
});

test.run();
