/** What every backend of the database must do, whichever it is. */
import type { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Database } from '../../../lib/database/database.ts';
import { migrate } from '../../../lib/database/migrate.ts';
import { readMigrations } from '../../../lib/database/node-migrations.ts';
import { waitUntil } from '../../support/wait-until.ts';

export function describeDatabase(test: ReturnType<typeof suite>, database: () => Database): void {
  test('answers rows of plain values: text, numbers, times, JSON as objects, arrays', async () => {
    const [row] = await database().query(
      `select $1::text as text, $2::int as number, true as flag, null as nothing,
        '2026-01-02T03:04:05Z'::timestamptz as time, $3::json as json, $4::text[] as list`,
      ['a', 7, '{"b":[1]}', ['x', 'y,"z']],
    );

    assert.equal(row, {
      text: 'a',
      number: 7,
      flag: true,
      nothing: null,
      time: new Date('2026-01-02T03:04:05Z'),
      json: { b: [1] },
      list: ['x', 'y,"z'],
    });
  });

  test('a named statement answers like a plain one, again and again', async () => {
    const ask = (value: number) => database().query('select $1::int + 1 as next', [value], 'add-one');

    assert.equal(await ask(1), [{ next: 2 }]);
    assert.equal(await ask(2), [{ next: 3 }]);
  });

  test('a text without values may hold several statements and answers the last one', async () => {
    const rows = await database().query('create table several (a int); select 5 as five');

    assert.equal(rows, [{ five: 5 }]);
  });

  test('the error of a statement keeps its SQLSTATE, and the next statement works', async () => {
    await database().query('create table unique_names (name text primary key)');
    await database().query('insert into unique_names values ($1)', ['a']);

    const codes = [
      await codeOf(database().query('insert into unique_names values ($1)', ['a'])),
      await codeOf(database().query('select * from no_such_table')),
    ];

    assert.equal(codes, ['23505', '42P01']);
    assert.equal(await database().query('select 1 as one'), [{ one: 1 }]);
  });

  test('a transaction commits what it did, and its result is the answer', async () => {
    await database().query('create table committed (a int)');

    const answer = await database().transaction(async (transaction) => {
      await transaction.query('insert into committed values ($1)', [1]);
      return 'done';
    });

    assert.is(answer, 'done');
    assert.equal(await database().query('select a from committed'), [{ a: 1 }]);
  });

  test('a transaction that rejects leaves nothing behind and rejects with the same error', async () => {
    await database().query('create table rolled_back (a int)');
    const mistake = new Error('on purpose');

    const outcome = await database()
      .transaction(async (transaction) => {
        await transaction.query('insert into rolled_back values ($1)', [1]);
        throw mistake;
      })
      .catch((error: unknown) => error);

    assert.is(outcome, mistake);
    assert.equal(await database().query('select a from rolled_back'), []);
  });

  test('a transaction whose statement failed is rolled back, and the next one works', async () => {
    await database().query('create table after_error (a int)');

    const code = await codeOf(
      database().transaction(async (transaction) => {
        await transaction.query('insert into after_error values (1)');
        await transaction.query('select * from no_such_table');
      }),
    );
    await database().transaction((transaction) => transaction.query('insert into after_error values (2)'));

    assert.is(code, '42P01');
    assert.equal(await database().query('select a from after_error'), [{ a: 2 }]);
  });

  test('statements of others never run inside a transaction', async () => {
    await database().query('create table separate (a int)');
    let other: Promise<unknown> | undefined;

    await codeOf(
      database().transaction(async (transaction) => {
        await transaction.query('insert into separate values (1)');
        other = database().query('insert into separate values (2)');
        await transaction.query('select 1');
        throw new Error('on purpose');
      }),
    );
    await other;

    assert.equal(await database().query('select a from separate'), [{ a: 2 }]);
  });

  test('a listener hears each notification on its channel, and none on another', async () => {
    const heard: string[] = [];
    const unlisten = await database().listen?.(
      'contract_news',
      (payload) => heard.push(payload),
      () => {},
    );

    await database().query("select pg_notify('other_news', 'no')");
    await database().query("select pg_notify('contract_news', 'one')");
    await database().query("select pg_notify('contract_news', $1)", ['two']);
    await waitUntil('both notifications came', () => heard.length === 2);

    assert.equal(heard, ['one', 'two']);
    await unlisten?.();
  });

  test('a listener hears nothing after it left', async () => {
    const heard: string[] = [];
    const unlisten = await database().listen?.(
      'left_news',
      (payload) => heard.push(payload),
      () => {},
    );
    await unlisten?.();

    await database().query("select pg_notify('left_news', 'late')");
    await database().query('select 1');

    assert.equal(heard, []);
  });

  test('the migrations are applied once, also when two start at once', async () => {
    const migrations = await readMigrations();

    const applied = await Promise.all([migrate(database(), migrations), migrate(database(), migrations)]);

    assert.equal(
      applied.flat(),
      migrations.map(({ name }) => name),
    );
    assert.equal(await migrate(database(), migrations), []);
    assert.equal(await database().query('select name from servers'), []);
  });

  test('a migration that fails applies none of those that came with it', async () => {
    const broken = [
      { name: '9001-good', sql: 'create table from_migration (a int)' },
      { name: '9002-bad', sql: 'create table from_migration (a int)' },
    ];

    const code = await codeOf(migrate(database(), broken));

    assert.is(code, '42P07');
    assert.is(await codeOf(database().query('select * from from_migration')), '42P01');
  });
}

export async function codeOf(promise: Promise<unknown>): Promise<unknown> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return (error as { code?: unknown } | undefined)?.code;
}
