/**
 * A Database over a connection pool in the shape that `pg` and Neon's driver share. Limits the use of each connection,
 * drops broken ones from the pool, and translates every error. Opens no sockets itself and depends on neither driver,
 * so it runs wherever one of them does.
 */
import type { Failure } from '../../failure.ts';
import type { Log } from '../../log.ts';
import type { Database, Queryable } from '../database.ts';
import {
  databaseFailure,
  endsConnection,
  toConnectionFailure,
  toDatabaseFailure,
} from '../database-fault.ts';
import { createDatabaseHealth, createFaultWatch } from '../database-health.ts';
import { runTransaction, sessionLimits, withoutLimits } from './run-transaction.ts';

export interface PoolStatement {
  readonly text: string;
  readonly values?: unknown[];
  readonly name?: string;
}

export interface PoolResult {
  readonly rows: unknown[];
}

export interface PoolClient {
  /** Statements without values may be several in one text; the driver then resolves to one result for each. */
  query(statement: PoolStatement): Promise<PoolResult | PoolResult[]>;
  /** @param isBroken Closes the connection instead of keeping it. */
  release(isBroken?: boolean): void;
}

export interface Pool {
  connect(): Promise<PoolClient>;
  end(): Promise<void>;
}

export interface PoolDatabaseOptions {
  readonly kind: Database['kind'];
  readonly label: string;
  readonly pool: Pool;
  /** Another pool, whose driver waits for a statement without a limit. */
  readonly openUnlimitedPool: () => Pool;
  readonly log: Log;
  readonly listen?: Database['listen'];
  /** Callers that may wait for a connection; each further one is refused at once. */
  readonly mostWaiting?: number;
}

/** A caller waits 2 s at most, so this is more than a pool of ten gets through in that time. */
const mostCallersWaiting = 2000;

export function createPoolDatabase(options: PoolDatabaseOptions): Database {
  const { kind, label, pool, openUnlimitedPool, log, listen, mostWaiting = mostCallersWaiting } = options;
  const watch = createFaultWatch({ log });
  /** Clients whose session has its limits set. For one connection a pool returns the same object each time. */
  const limited = new WeakSet<PoolClient>();
  let waiting = 0;

  async function connect(from: Pool): Promise<PoolClient> {
    if (waiting >= mostWaiting) throw watch.report(databaseFailure('busy'));
    waiting += 1;
    try {
      return await from.connect();
    } catch (error) {
      throw watch.report(toConnectionFailure(error));
    } finally {
      waiting -= 1;
    }
  }

  async function withConnection<Result>(
    use: (connection: Connection) => Promise<Result>,
    from = pool,
  ): Promise<Result> {
    const client = await connect(from);
    const connection = createConnection(client, watch.report);
    try {
      if (!limited.has(client)) {
        await connection.query(sessionLimits);
        limited.add(client);
      }
      return await use(connection);
    } finally {
      client.release(connection.isBroken());
    }
  }

  const query: Database['query'] = (text, values, name) =>
    withConnection((connection) => connection.query(text, values, name));
  async function unlimited<Result>(work: (transaction: Queryable) => Promise<Result>): Promise<Result> {
    const unlimited = openUnlimitedPool();
    try {
      return await withConnection((one) => runTransaction(one, withoutLimits(work)), unlimited);
    } finally {
      await unlimited.end();
    }
  }

  const transaction: Database['transaction'] = (work, { isUnlimited = false } = {}) =>
    isUnlimited ? unlimited(work) : withConnection((connection) => runTransaction(connection, work));
  const { problem } = createDatabaseHealth({ database: { query, transaction }, watch });

  return { kind, label, listen, query, transaction, problem, close: () => pool.end() };
}

interface Connection extends Queryable {
  /** A statement was lost on this connection: it is useless. */
  isBroken(): boolean;
}

function createConnection(client: PoolClient, report: (failure: Failure) => Failure): Connection {
  let lost: Failure | undefined;

  return {
    isBroken: () => lost !== undefined,

    async query<Row>(text: string, values?: readonly unknown[], name?: string): Promise<Row[]> {
      if (lost) throw lost;
      try {
        return rowsOf<Row>(await client.query({ text, name, values: values && [...values] }));
      } catch (error) {
        const failure = toDatabaseFailure(error);
        if (failure === undefined) throw error;
        if (endsConnection(error)) lost = failure;
        throw report(failure);
      }
    },
  };
}

function rowsOf<Row>(result: PoolResult | PoolResult[]): Row[] {
  const last = Array.isArray(result) ? result.at(-1) : result;
  return (last?.rows ?? []) as Row[];
}
