/** What the embedded database does when its thread dies; the thread is a fake that the test can kill. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openPgliteDatabase } from '../../../lib/database/drivers/node-pglite-database.ts';
import type { PgliteWorkerOptions } from '../../../lib/database/drivers/node-pglite-worker.ts';
import { databaseUnavailable } from '../../../lib/failure.ts';
import { createRecordingLog } from '../../support/recording-log.ts';

const test = suite('the thread of the embedded database');

async function openDatabase() {
  const sent: string[] = [];
  const { log, logged } = createRecordingLog();
  let threads = 0;
  let kill = () => {};

  async function startWorker({ onExit }: PgliteWorkerOptions) {
    threads += 1;
    const name = threads;
    let isDead = false;
    kill = () => {
      isDead = true;
      onExit(new Error('killed'));
    };
    return {
      async send(request: { operation: string; text?: string; channel?: string }) {
        if (isDead) throw databaseUnavailable();
        sent.push(`${name}: ${request.text ?? `${request.operation} ${request.channel}`}`);
        return [];
      },
      async stop() {},
    };
  }

  const database = await openPgliteDatabase({ directory: 'unused', log, startWorker });
  return { database, sent, logged, kill: () => kill() };
}

async function codeOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: { code?: unknown }) => error.code,
  );
}

test('the first start, and the death that the next statement mends, are logged', async () => {
  const { database, sent, logged, kill } = await openDatabase();
  await database.query('first');

  kill();
  await database.query('second');
  await database.query('third');

  assert.equal(sent, ['1: first', '2: second', '2: third']);
  assert.equal(
    logged.map(({ level }) => level),
    ['info', 'error'],
  );
});

test('a transaction whose thread died fails instead of going on in the next one', async () => {
  const { database, sent, kill } = await openDatabase();

  const code = await codeOf(
    database.transaction(async (transaction) => {
      await transaction.query('in the transaction');
      kill();
      await transaction.query('after the death');
    }),
  );
  await database.query('next');

  assert.is(code, 'database_unavailable');
  assert.equal(sent, ['1: begin', '1: in the transaction', '2: next']);
});

test('listeners are told of the gap, and the new thread listens for them', async () => {
  const { database, sent, kill } = await openDatabase();
  let gaps = 0;
  await database.listen?.(
    'news',
    () => {},
    () => {
      gaps += 1;
    },
  );

  kill();
  await database.query('next');

  assert.equal(sent, ['1: listen news', '2: listen news', '2: next']);
  assert.is(gaps, 1);
});

test.run();
