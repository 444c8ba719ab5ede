/** Which errors mean that the database is away, and which connections may be used again. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createPoolDatabase, type PoolStatement } from '../../../lib/database/pool-database.ts';

const test = suite('pool database');

/** A pool of one connection that answers each statement with `answer`. */
function openPool(answer: (text: string) => unknown) {
  const statements: PoolStatement[] = [];
  const released: unknown[] = [];
  const database = createPoolDatabase({
    kind: 'postgres',
    label: 'fake',
    pool: {
      connect: async () => ({
        async query(statement) {
          statements.push(statement);
          const result = answer(statement.text);
          if (result instanceof Error) throw result;
          return { rows: [result] };
        },
        release: (isBroken) => released.push(isBroken),
      }),
      end: async () => {},
    },
  });
  return { database, statements, released };
}

function serverError(code: string): Error {
  return Object.assign(new Error('as the server says'), { code, severity: 'ERROR' });
}

async function codeAfter(error: Error) {
  const { database, released } = openPool(() => error);
  const thrown = await database.query('select 1').catch((reason: unknown) => reason);
  return { code: (thrown as { code?: string }).code, isSame: thrown === error, released };
}

test('a lost connection is the database being away, and is not used again', async () => {
  const { code, released } = await codeAfter(new Error('Connection terminated unexpectedly'));

  assert.is(code, 'database_unavailable');
  assert.equal(released, [true]);
});

test('a socket error whose code looks like a SQLSTATE is the database being away', async () => {
  const { code } = await codeAfter(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));

  assert.is(code, 'database_unavailable');
});

test('a server that is shutting down, starting or full is away', async () => {
  assert.is((await codeAfter(serverError('57P01'))).code, 'database_unavailable');
  assert.is((await codeAfter(serverError('57P03'))).code, 'database_unavailable');
  assert.is((await codeAfter(serverError('53300'))).code, 'database_unavailable');
  assert.is((await codeAfter(serverError('08006'))).code, 'database_unavailable');
});

test('the error of a statement is thrown as it is, and the connection is kept', async () => {
  const { isSame, released } = await codeAfter(serverError('23505'));

  assert.is(isSame, true);
  assert.equal(released, [false]);
});

test('a mistake of ours in the values is no absence of the database', async () => {
  const { isSame } = await codeAfter(new TypeError('Converting circular structure to JSON'));

  assert.is(isSame, true);
});

test('a refused connection is the database being away, and keeps its reason for the log', async () => {
  const refusal = Object.assign(new Error('password authentication failed'), {
    code: '28P01',
    severity: 'FATAL',
  });
  const database = createPoolDatabase({
    kind: 'postgres',
    label: 'fake',
    pool: { connect: () => Promise.reject(refusal), end: async () => {} },
  });

  const thrown = await database.query('select 1').catch((reason: unknown) => reason);

  assert.is((thrown as { code: string }).code, 'database_unavailable');
  assert.is((thrown as Error).cause, refusal);
});

test('a transaction sends nothing more on a connection that was lost, not even its rollback', async () => {
  const { database, statements, released } = openPool((text) =>
    text === 'lose' ? new Error('Connection terminated unexpectedly') : {},
  );

  await database.transaction((transaction) => transaction.query('lose')).catch(() => {});

  assert.equal(
    statements.map(({ text }) => text),
    ['begin', 'lose'],
  );
  assert.equal(released, [true]);
});

test('a name is passed on, so that the driver prepares the statement once', async () => {
  const { database, statements } = openPool(() => ({}));

  await database.query('select $1', ['a'], 'by-name');

  assert.equal(statements, [{ text: 'select $1', values: ['a'], name: 'by-name' }]);
});

test.run();
