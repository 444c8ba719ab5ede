/**
 * Postgres embedded in this process (PGlite), for an installation without a database. All callers share one session in
 * turn: a statement is one turn, a transaction is one turn from begin to commit. A thread that dies is started again by
 * the next caller.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { databaseUnavailable, Failure } from '../../failure.ts';
import type { Log } from '../../log.ts';
import type { Database, Queryable } from '../database.ts';
import { databaseFailure, stateOf, toDatabaseFailure } from '../database-fault.ts';
import { createDatabaseHealth, createFaultWatch, type FaultWatch } from '../database-health.ts';
import { type PgliteWorker, startPgliteWorker } from './node-pglite-worker.ts';
import { runTransaction } from './run-transaction.ts';

export interface PgliteOptions {
  /** Belongs to one process alone: see `node-data-lock.ts`. */
  readonly directory: string;
  readonly log: Log;
  /** Replaces the start of the thread, in tests of its death. */
  readonly startWorker?: typeof startPgliteWorker;
}

interface Listener {
  readonly channel: string;
  readonly onPayload: (payload: string) => void;
  readonly onGap: () => void;
}

/** The limit of waiting statements and transactions, including the running one. Each further one is refused at once. */
const mostWaiting = 2000;

/** Resolves when the database is open. */
export async function openPgliteDatabase({
  directory,
  log,
  startWorker = startPgliteWorker,
}: PgliteOptions): Promise<Database> {
  const listeners = new Set<Listener>();
  const channels = new Set<string>();
  const watch = createFaultWatch({ log });
  const takeTurn = createTurns(() => watch.report(databaseFailure('busy')));
  let current: Promise<PgliteWorker> | undefined;
  let isClosed = false;

  function onNotification(channel: string, payload: string): void {
    for (const listener of listeners) if (listener.channel === channel) listener.onPayload(payload);
  }

  function onExit(error: unknown): void {
    current = undefined;
    if (!isClosed) log.error({ error }, 'The embedded database stopped; the next statement starts it again');
  }

  async function start(): Promise<PgliteWorker> {
    const worker = await startWorker({ directory, onNotification, onExit });
    for (const channel of channels) await worker.send({ operation: 'listen', channel });
    for (const { onGap } of listeners) onGap();
    return worker;
  }

  async function session(isUnlimited = false): Promise<Queryable> {
    if (isClosed) throw databaseUnavailable(new Error('The embedded database was closed'));
    current ??= start();
    return sessionOf(await current, watch, isUnlimited);
  }

  if (!existsSync(join(directory, 'complete'))) {
    log.info({ directory }, 'making the embedded database, at the first start only');
  }
  await session().catch((cause: unknown) => {
    throw new Error(`The embedded database in ${directory} cannot be opened`, { cause });
  });

  const query: Database['query'] = (text, values) =>
    takeTurn(async () => (await session()).query(text, values));
  const transaction: Database['transaction'] = (work, { isUnlimited } = {}) =>
    takeTurn(async () => runTransaction(await session(isUnlimited), work));

  return {
    kind: 'pglite',
    label: directory,
    query,
    transaction,
    problem: createDatabaseHealth({ database: { query, transaction }, watch }).problem,

    async listen(channel, onPayload, onGap) {
      const listener = { channel, onPayload, onGap };
      listeners.add(listener);
      if (!channels.has(channel)) {
        channels.add(channel);
        await takeTurn(async () => (await current)?.send({ operation: 'listen', channel }));
      }
      return async () => {
        listeners.delete(listener);
      };
    },

    close: () =>
      takeTurn(async () => {
        isClosed = true;
        await (await current)?.stop();
      }),
  };
}

/** Bound to one thread: a transaction whose thread died must fail, not continue in the next thread. */
function sessionOf(worker: PgliteWorker, watch: FaultWatch, isUnlimited: boolean): Queryable {
  return {
    async query<Row>(text: string, values?: readonly unknown[]) {
      try {
        return (await worker.send({ operation: 'query', text, values, isUnlimited })) as Row[];
      } catch (error) {
        if (error instanceof Failure) throw watch.report(error);
        const failure = stateOf(error) === undefined ? undefined : toDatabaseFailure(error);
        throw failure === undefined ? error : watch.report(failure);
      }
    },
  };
}

/** @param refuse The error for a caller when `mostWaiting` wait already. */
function createTurns(refuse: () => unknown) {
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  return async function takeTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    if (waiting >= mostWaiting) throw refuse();
    waiting += 1;
    const turn = last.then(work).finally(() => {
      waiting -= 1;
    });
    last = turn.catch(() => {});
    return turn;
  };
}
