/**
 * Postgres through `pg`. Every wait has an end: 2 s for a connection, 2.5 s for a statement, so that a server
 * that hangs looks like one that is away; the server keeps limits of its own (`run-transaction.ts`). It opens no
 * connection until the first statement.
 */
import pg from 'pg';
import type { Log } from '../../log.ts';
import type { Database, PostgresByUrl, PostgresFields } from '../database.ts';
import { keepListening } from '../keep-listening.ts';
import { createPoolDatabase } from './pool-database.ts';
import { queryTimeoutMs } from './run-transaction.ts';

const connectTimeoutMs = 2000;
const poolSize = 10;

export function createPostgresDatabase(
  { kind: _, ...address }: PostgresByUrl | PostgresFields,
  { log }: { log: Log },
): Database {
  const config = {
    ...address,
    application_name: 'svc-mcp-gateway',
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: queryTimeoutMs,
    keepAlive: true,
    // While a migration runs nothing else would show that its server has vanished.
    keepAliveInitialDelayMillis: 10_000,
  };
  return createPoolDatabase({
    kind: 'postgres',
    label: labelOf(config),
    pool: openPool({ ...config, max: poolSize }),
    openUnlimitedPool: () => openPool({ ...config, query_timeout: 0, max: 1 }),
    log,
    listen: (channel, onPayload, onGap, onBroken) =>
      keepListening({ createClient: () => new pg.Client(config), channel, onPayload, onGap, onBroken, log }),
  });
}

function openPool(config: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool(config);
  // A connection that breaks while idle has no other listener; unhandled, its error would end the process.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/** Never opened: used for the driver's own parsing of the address, and its refusal of a malformed one. */
function labelOf(config: pg.ClientConfig): string {
  try {
    const { host, database } = new pg.Client(config);
    return `${host}/${database}`;
  } catch {
    // The driver's error quotes the address, and with it the password.
    throw new Error('DATABASE_URL: expected an address such as postgres://user:password@host:5432/database');
  }
}
