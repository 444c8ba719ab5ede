/**
 * The main thread's side of PGlite's worker: one message out, one answer back. Messages are answered in their order;
 * `node-pglite-database.ts` decides which statement comes next.
 */
import { Worker } from 'node:worker_threads';
import { databaseUnavailable, Failure } from '../../failure.ts';
import { databaseFailure } from '../database-fault.ts';

export type Request =
  | {
      readonly operation: 'query';
      readonly text: string;
      readonly values?: readonly unknown[];
      /** Without a limit in time. */
      readonly isUnlimited?: boolean;
    }
  | { readonly operation: 'listen'; readonly channel: string }
  | { readonly operation: 'close' };

/** The worker's operations: one function for each, answering rows. */
export type Operations = {
  [Name in Request['operation']]: (
    request: Extract<Request, { operation: Name }> & { values?: unknown[] },
  ) => Promise<unknown[]>;
};

interface Caller {
  resolve(rows: unknown[]): void;
  reject(error: unknown): void;
}

type Message =
  | { readonly channel: string; readonly payload: string }
  | { readonly id: number; readonly rows: unknown[] }
  | { readonly id: number; readonly error: { readonly message: string } };

export interface PgliteWorker {
  /** Rejects with `database_unavailable` when the thread is gone. */
  send(request: Request): Promise<unknown[]>;
  stop(): Promise<void>;
}

export interface PgliteWorkerOptions {
  readonly directory: string;
  readonly onNotification: (channel: string, payload: string) => void;
  /** The thread ended unexpectedly. */
  readonly onExit: (error: unknown) => void;
  readonly statementMs?: number;
}

/**
 * Far more than any statement of ours takes. A disk that fills up while PGlite writes its log makes the thread spin
 * endlessly: it is ended, and the next one reads the log.
 */
const longestStatementMs = 15_000;
const longestStartMs = 120_000;

/** Resolves when the database is open; rejects when it cannot be opened. */
export async function startPgliteWorker(options: PgliteWorkerOptions): Promise<PgliteWorker> {
  const { statementMs = longestStatementMs } = options;
  const worker = new Worker(new URL('./node-pglite-worker.js', import.meta.url), {
    workerData: { directory: options.directory },
  });
  const waiting = new Map<number, Caller>();
  let lastId = 0;
  let gone: unknown;
  let endsBecause: unknown = new Error('The thread of the embedded database ended');

  function end(error: unknown): void {
    if (gone) return;
    gone = error;
    const failure = error instanceof Failure ? error : databaseUnavailable(error);
    for (const caller of waiting.values()) caller.reject(failure);
    waiting.clear();
    options.onExit(error);
  }

  function send(request: Request): Promise<unknown[]> {
    if (gone) return Promise.reject(databaseUnavailable(gone));
    const answer = new Promise<unknown[]>((resolve, reject) => {
      lastId += 1;
      waiting.set(lastId, { resolve, reject });
      worker.postMessage({ id: lastId, ...request });
    });
    return isLimited(request) ? withinTime(answer, statementMs) : answer;
  }

  async function withinTime(answer: Promise<unknown[]>, limitMs: number): Promise<unknown[]> {
    const limit = setTimeout(() => {
      // Callers are answered once the thread has ended: two threads must never have the same files open.
      endsBecause = databaseFailure('timed_out');
      void worker.terminate();
    }, limitMs);
    return await answer.finally(() => clearTimeout(limit));
  }

  worker.on('message', (message: Message) => {
    if ('channel' in message) return options.onNotification(message.channel, message.payload);
    const caller = waiting.get(message.id);
    waiting.delete(message.id);
    if ('rows' in message) caller?.resolve(message.rows);
    else caller?.reject(Object.assign(new Error(message.error.message), message.error));
  });
  worker.on('error', end);
  worker.on('exit', () => end(endsBecause));

  // The worker reads its messages once the database is open, which takes longer the more there is to recover.
  await withinTime(send({ operation: 'query', text: 'select 1', isUnlimited: true }), longestStartMs);

  return {
    send,
    async stop() {
      await send({ operation: 'close' }).catch(() => {});
      gone ??= new Error('The embedded database was closed');
      await worker.terminate();
    },
  };
}

function isLimited(request: Request): boolean {
  return request.operation !== 'query' || request.isUnlimited !== true;
}
