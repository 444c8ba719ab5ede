import { chmod, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Database } from '../../../lib/database/database.ts';
import { openDatabase } from '../../../lib/database/drivers/node-open-database.ts';
import { openPgliteDatabase } from '../../../lib/database/drivers/node-pglite-database.ts';
import { startPgliteWorker } from '../../../lib/database/drivers/node-pglite-worker.ts';
import { silentLog } from '../../../lib/log.ts';
import { copyPreparedDatabase } from '../../support/embedded-database.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';
import { describeBus } from '../events/bus-contract.ts';
import { codeOf, describeDatabase } from './database-contract.ts';

const test = suite('database: embedded');

let directory: string;
let database: Database;

test.before(async () => {
  directory = join(await mkdtemp(join(scratchFolder(), 'svc-mcp-pglite-')), 'database');
  database = await open();
});
test.after(async () => {
  await database.close();
  await rm(join(directory, '..'), { recursive: true, force: true });
});

function open(): Promise<Database> {
  return openDatabase({ kind: 'pglite', directory }, { log: silentLog });
}

describeDatabase(test, () => database);
describeBus(test, () => database);

test('does not hold up the main thread while it works', async () => {
  let longestGapMs = 0;
  let last = performance.now();
  const watch = setInterval(() => {
    longestGapMs = Math.max(longestGapMs, performance.now() - last);
    last = performance.now();
  }, 5);

  const startedAt = performance.now();
  await database.query('select count(*)::int from generate_series(1, 3000000)');
  const tookMs = performance.now() - startedAt;
  clearInterval(watch);

  assert.ok(tookMs > 100, `the statement took only ${tookMs} ms`);
  assert.ok(longestGapMs < tookMs / 2, `the main thread stood still for ${longestGapMs} of ${tookMs} ms`);
});

test('a statement that never ends is ended with its thread, and the next one works', async () => {
  const elsewhere = join(directory, '..', 'spinning');
  await copyPreparedDatabase(elsewhere);
  const spinning = await openPgliteDatabase({
    directory: elsewhere,
    log: silentLog,
    startWorker: (options) => startPgliteWorker({ ...options, statementMs: 1000 }),
  });
  await spinning.query('create table kept (a int); insert into kept values (3)');

  const code = await codeOf(spinning.query('select count(*) from generate_series(1, 100000000000)'));

  assert.is(code, 'database_unavailable');
  assert.equal(await spinning.query('select a from kept'), [{ a: 3 }]);
  await spinning.close();
});

test('keeps its rows when it is closed and opened again', async () => {
  await database.query('create table kept (a int); insert into kept values (3)');
  await database.close();

  database = await open();

  assert.equal(await database.query('select a from kept'), [{ a: 3 }]);
});

test('nobody else may read its folder, also one that was open to all', async () => {
  const modeOf = async (folder: string) => (await stat(folder)).mode & 0o777;
  assert.is(await modeOf(directory), 0o700);
  const loose = join(directory, '..', 'loose');
  await mkdir(loose);
  await chmod(loose, 0o755);

  const other = await openDatabase({ kind: 'pglite', directory: loose }, { log: silentLog });

  assert.is(await modeOf(loose), 0o700);
  await other.close();
});

test('a directory that a killed first start left half unpacked is made again', async () => {
  const half = join(directory, '..', 'half');
  await mkdir(join(half, 'pgdata'), { recursive: true });
  await writeFile(join(half, 'pgdata', 'PG_VERSION'), '18');

  const other = await openDatabase({ kind: 'pglite', directory: half }, { log: silentLog });

  assert.equal(await other.query('select 1 as one'), [{ one: 1 }]);
  await other.close();
});

test('a directory that cannot be opened is refused with its name', async () => {
  const file = join(directory, '..', 'a-file');
  await writeFile(file, '');

  const refusal = await openDatabase({ kind: 'pglite', directory: file }, { log: silentLog }).then(
    () => assert.unreachable('was not refused'),
    (error: Error) => error,
  );

  assert.match(refusal?.message ?? '', 'a-file cannot be opened');
});

test('after it was closed it is unavailable', async () => {
  const other = await openDatabase(
    { kind: 'pglite', directory: join(directory, '..', 'half') },
    { log: silentLog },
  );
  await other.close();

  assert.is(await codeOf(other.query('select 1')), 'database_unavailable');
});

test.run();
