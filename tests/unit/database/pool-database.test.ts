/** Which errors mean that the database is away, and which connections may be used again. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createPoolDatabase, type PoolStatement } from '../../../lib/database/drivers/pool-database.ts';
import { sessionLimits } from '../../../lib/database/drivers/run-transaction.ts';
import { Failure } from '../../../lib/failure.ts';
import { silentLog } from '../../../lib/log.ts';
import { createRecordingLog } from '../../support/recording-log.ts';
import { waitUntil } from '../../support/wait-until.ts';

const test = suite('pool database');
const noOther = { openUnlimitedPool: () => assert.unreachable('nothing here is unlimited') as never };

/** A pool of one connection that answers each statement with `answer`. */
function openPool(answer: (text: string) => unknown, log = silentLog) {
  const statements: PoolStatement[] = [];
  const released: unknown[] = [];
  const client = {
    async query(statement: PoolStatement) {
      if (statement.text === sessionLimits) return { rows: [] };
      statements.push(statement);
      const result = answer(statement.text);
      if (result instanceof Error) throw result;
      return { rows: [result] };
    },
    release: (isBroken?: boolean) => released.push(isBroken),
  };
  const database = createPoolDatabase({
    kind: 'postgres',
    label: 'fake',
    ...noOther,
    pool: { connect: async () => client, end: async () => {} },
    log,
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
    ...noOther,
    pool: { connect: () => Promise.reject(refusal), end: async () => {} },
    log: silentLog,
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

test('what is wrong is told in a sentence, with a reason and when to come back', async () => {
  const table = {
    '25006': 'read_only',
    '53100': 'full',
    '53200': 'overloaded',
    '53300': 'overloaded',
    '55P03': 'locked',
    '40P01': 'locked',
    '57014': 'timed_out',
    '25P03': 'timed_out',
    '58030': 'broken',
    '28P01': 'refused',
    '57P03': 'away',
  };
  const told: Record<string, unknown> = {};

  for (const state of Object.keys(table)) {
    const { database } = openPool(() => serverError(state));
    const thrown = await database.query('select 1').catch((error: unknown) => error);
    if (!(thrown instanceof Failure)) throw new Error(`${state} is no fault of the database`);
    told[state] = thrown.details?.reason;
    assert.is(thrown.status, 503);
    assert.ok(Number(thrown.headers['Retry-After']) > 0);
    assert.not.match(thrown.message, state);
  }

  assert.equal(told, table);
});

test('a connection whose statement was refused is kept, one that the server ends is not', async () => {
  for (const state of ['25006', '53100', '55P03', '57014']) {
    assert.equal((await codeAfter(serverError(state))).released, [false], state);
  }
  for (const state of ['57P01', '25P03', '53300']) {
    assert.equal((await codeAfter(serverError(state))).released, [true], state);
  }
});

test('a statement that was refused within a transaction rolls it back', async () => {
  const { database, statements, released } = openPool((text) =>
    text === 'write' ? serverError('25006') : {},
  );

  await database.transaction((transaction) => transaction.query('write')).catch(() => {});

  assert.equal(
    statements.map(({ text }) => text),
    ['begin', 'write', 'rollback'],
  );
  assert.equal(released, [false]);
});

test('a thousand refusals leave one line, without a stack, with the state and the cause', async () => {
  const { log, logged } = createRecordingLog();
  const { database } = openPool(() => serverError('53100'), log);

  for (let turn = 0; turn < 1000; turn += 1) await database.query('insert').catch(() => {});

  assert.equal(logged, [
    {
      level: 'warn',
      fields: { reason: 'full', state: '53100', cause: 'as the server says', unlogged: 0 },
      message: logged[0]?.message,
    },
  ]);
});

test('callers beyond the most that may wait for a connection are refused at once', async () => {
  const grants: (() => void)[] = [];
  const client = { query: async () => ({ rows: [] }), release() {} };
  const database = createPoolDatabase({
    kind: 'postgres',
    label: 'fake',
    ...noOther,
    pool: {
      connect: () => new Promise((resolve) => grants.push(() => resolve(client))),
      end: async () => {},
    },
    log: silentLog,
    mostWaiting: 2,
  });

  const waiting = [database.query('1'), database.query('2')];
  const refused = await database.query('3').catch((error: Failure) => error);
  for (const grant of grants) grant();
  await Promise.all(waiting);

  assert.equal((refused as Failure).details, { reason: 'busy' });
  const after = database.query('4');
  grants.at(-1)?.();
  assert.equal(await after, []);
});

test('after a full disk the database has a problem until writing was seen to work again', async () => {
  let isFull = true;
  const { database } = openPool((text) => {
    if (isFull && /insert|create/.test(text)) return serverError('53100');
    return { is_read_only: false };
  });
  assert.is(await database.problem(), undefined);
  await database.query('insert').catch(() => {});

  assert.match((await database.problem()) ?? '', 'full');
  isFull = false;
  await waitUntil('it has looked again', async () => (await database.problem()) === undefined);
});

test('a write that worked a moment ago does not speak for one that fails now', async () => {
  let isFull = true;
  const { database } = openPool((text) => {
    if (isFull && /insert|create/.test(text)) return serverError('53100');
    return { is_read_only: false };
  });
  for (const turn of [1, 2]) {
    isFull = true;
    await database.query('insert').catch(() => {});
    assert.match((await database.problem()) ?? '', 'full', `time ${turn}`);
    isFull = false;
    await waitUntil('all is well', async () => (await database.problem()) === undefined);
  }
});

test('while nothing is wrong nothing is written to find that out', async () => {
  const { database, statements } = openPool(() => ({ is_read_only: false }));

  await database.problem();
  await database.problem();

  assert.is(statements.length, 2);
  assert.not.match(statements.map(({ text }) => text).join(), /create|insert/);
});

test('a database that is read-only has a problem before anybody has written', async () => {
  const { database } = openPool(() => ({ is_read_only: true }));

  assert.match((await database.problem()) ?? '', 'read-only');
});

test.run();
