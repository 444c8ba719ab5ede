import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Database } from '../../../lib/database/database.ts';
import { openDatabase } from '../../../lib/database/drivers/node-open-database.ts';
import { migrate } from '../../../lib/database/migrate.ts';
import { readMigrations } from '../../../lib/database/node-migrations.ts';
import { Failure } from '../../../lib/failure.ts';
import { replaceFile } from '../../../lib/files/node-durable-file.ts';
import { createGroupLock } from '../../../lib/groups/files/group-lock.ts';
import { silentLog } from '../../../lib/log.ts';
import { openEmbeddedDatabase } from '../../support/embedded-database.ts';
import { createTestDatabase } from '../../support/postgres.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';
import { createGroupFolder, flip } from '../../unit/groups/group-folder.ts';
import { describeAcceptance } from './groups-approvals.ts';

const embedded = suite('groups: acceptance in the embedded database');
let directory: string;
let pglite: Database;

embedded.before(async () => {
  directory = await mkdtemp(join(scratchFolder(), 'groups-pglite-'));
  pglite = await openEmbeddedDatabase(directory);
});
embedded.after(async () => {
  await pglite.close();
  await rm(directory, { recursive: true, force: true });
});
describeAcceptance(embedded, () => pglite);

const url = await createTestDatabase('groups');
embedded.run();
if (url) runOnPostgres(url);

function runOnPostgres(connectionString: string): void {
  const test = suite('groups: acceptance and lock in Postgres');
  let one: Database;
  let other: Database;

  test.before(async () => {
    one = await openDatabase({ kind: 'postgres', connectionString }, { log: silentLog });
    other = await openDatabase({ kind: 'postgres', connectionString }, { log: silentLog });
    await migrate(one, await readMigrations());
  });
  test.after(async () => {
    await one.close();
    await other.close();
  });
  describeAcceptance(test, () => one);

  test('two processes never hold the lock of one group together, and do hold those of two', async () => {
    const locks = [createGroupLock(one), createGroupLock(other)];
    const inside = new Map<string, number>();
    let most = 0;
    const work = (lock: (typeof locks)[number] | undefined, name: string) =>
      lock?.(name, async () => {
        const here = (inside.get(name) ?? 0) + 1;
        inside.set(name, here);
        assert.is(here, 1);
        most = Math.max(
          most,
          [...inside.values()].reduce((sum, count) => sum + count, 0),
        );
        await new Promise((resolve) => setTimeout(resolve, 5));
        inside.set(name, here - 1);
      });
    await Promise.all(Array.from({ length: 24 }, (_, at) => work(locks[at % 2], at % 3 ? 'ops' : 'dev')));

    assert.is(most, 2);
  });

  test('work that fails gives the lock back and keeps its error', async () => {
    const lock = createGroupLock(one);
    const failure = new Failure('conflict', 'No.');
    const error = await lock('ops', () => Promise.reject(failure)).catch((reason) => reason);

    assert.is(error, failure);
    assert.is(await createGroupLock(other)('ops', async () => 'free'), 'free');
  });

  test('toggles through two managers on one folder lose nothing', async () => {
    const folder = await createGroupFolder();
    const managers = await Promise.all([
      folder.open({ lock: createGroupLock(one) }),
      folder.open({ lock: createGroupLock(other) }),
    ]);
    await Promise.all(
      Array.from({ length: 200 }, (_, at) => managers[at % 2]?.groups.change('default', flip(`a__${at}`))),
    );

    assert.is(((await folder.json('default')).included_tools as string[]).length, 200);
    await folder.close();
  });

  /** Ends the transaction that holds the group's lock, as the server does when its process stands still. */
  async function endHolder(): Promise<void> {
    await other.query(
      `select pg_terminate_backend(pid)::text from pg_locks where locktype = 'advisory'
        and granted and database = (select oid from pg_database where datname = current_database())`,
    );
  }

  test('a holder that lost the lock before its last look writes nothing', async () => {
    const folder = await createGroupFolder();
    const next = await folder.open({ lock: createGroupLock(other) });
    const replace: typeof replaceFile = async (...given) => {
      await endHolder();
      await next.groups.change('default', flip('b__1'));
      return replaceFile(...given);
    };
    const stopped = await folder.open({ lock: createGroupLock(one), replace });

    const error = await stopped.groups.change('default', flip('a__1')).catch((reason) => reason);

    assert.is((error as Failure).code, 'database_unavailable');
    assert.equal((await folder.json('default')).included_tools, ['b__1']);
    assert.equal(await folder.files(), ['default.json']);
    await folder.close();
  });

  test('a holder that lost the lock after its last look has nothing left to put in place', async () => {
    const folder = await createGroupFolder();
    const next = await folder.open({ lock: createGroupLock(other) });
    let left: string[] = [];
    const replace: typeof replaceFile = (path, text, expected, mode, lastCheck) =>
      replaceFile(path, text, expected, mode, async () => {
        await lastCheck?.();
        await endHolder();
        // It changes nothing, so that the stamp of the file cannot be what stops the one before.
        await next.groups.change('default', (group) => group);
        left = await folder.files();
      });
    const stopped = await folder.open({ lock: createGroupLock(one), replace });

    const error = await stopped.groups.change('default', flip('a__1')).catch((reason) => reason);

    assert.is((error as Failure).code, 'database_unavailable');
    assert.equal(left, ['default.json']);
    assert.equal((await folder.json('default')).included_tools, []);
    await folder.close();
  });

  test('two managers that start together make one default group', async () => {
    const folder = await createGroupFolder();
    await Promise.all(
      [one, other].map(async (database) => {
        const { groups } = await folder.open({ lock: createGroupLock(database) });
        await groups.change('default', flip(database === one ? 'a__1' : 'a__2'));
      }),
    );

    assert.equal([...((await folder.json('default')).included_tools as string[])].sort(), ['a__1', 'a__2']);
    await folder.close();
  });

  test('without the database no group is changed, and the refusal says so', async () => {
    const gone = await openDatabase(
      { kind: 'postgres', connectionString: 'postgres://nobody@127.0.0.1:1/none' },
      { log: silentLog },
    );
    const error = await createGroupLock(gone)('ops', async () => 'done').catch((reason) => reason);
    await gone.close();

    assert.is((error as Failure).code, 'database_unavailable');
  });

  test.run();
}
