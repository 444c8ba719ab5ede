/**
 * A Database over a connection pool in the shape that `pg` and Neon's driver share. It decides which errors
 * mean that the database is away, and keeps broken connections out of the pool. It opens no sockets itself
 * and knows neither driver, so it runs wherever one of them does.
 */
import { databaseUnavailable, type Failure } from '../http/failure.ts';
import type { Database, Queryable } from './database.ts';
import { runTransaction } from './run-transaction.ts';

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
  readonly listen?: Database['listen'];
}

export function createPoolDatabase({ kind, label, pool, listen }: PoolDatabaseOptions): Database {
  async function withConnection<Result>(use: (connection: Connection) => Promise<Result>): Promise<Result> {
    const client = await connect(pool);
    const connection = createConnection(client);
    try {
      return await use(connection);
    } finally {
      client.release(connection.isBroken());
    }
  }

  return {
    kind,
    label,
    listen,
    query: (text, values, name) => withConnection((connection) => connection.query(text, values, name)),
    transaction: (work) => withConnection((connection) => runTransaction(connection, work)),
    close: () => pool.end(),
  };
}

async function connect(pool: Pool): Promise<PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    // Whatever keeps us from connecting, a refused password included, is the database's absence to callers.
    throw databaseUnavailable(error);
  }
}

interface Connection extends Queryable {
  /** A statement was lost on it: nothing can be sent on it any more. */
  isBroken(): boolean;
}

function createConnection(client: PoolClient): Connection {
  let lost: Failure | undefined;

  return {
    isBroken: () => lost !== undefined,

    async query<Row>(text: string, values?: readonly unknown[], name?: string): Promise<Row[]> {
      if (lost) throw lost;
      try {
        return rowsOf<Row>(await client.query({ text, name, values: values && [...values] }));
      } catch (error) {
        if (!meansAway(error)) throw error;
        lost = databaseUnavailable(error);
        throw lost;
      }
    },
  };
}

function rowsOf<Row>(result: PoolResult | PoolResult[]): Row[] {
  const last = Array.isArray(result) ? result.at(-1) : result;
  return (last?.rows ?? []) as Row[];
}

/** Classes 08 (connection) and 57P (shutdown, crash, starting up), and 53300 (no connection left). */
const awayStates = /^(08...|57P..|53300)$/;

/**
 * The server's own errors carry a severity and a SQLSTATE. What a driver throws without them is a lost
 * connection or a time-out, apart from mistakes of ours in the values.
 */
function meansAway(error: unknown): boolean {
  if (error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError) return false;
  const { code, severity } = error as { code?: unknown; severity?: unknown };
  return severity === undefined || (typeof code === 'string' && awayStates.test(code));
}
