/**
 * Postgres through Neon's driver, over WebSockets, for hosts without TCP. LISTEN needs a process that outlives
 * its requests, so it is offered only when asked for.
 */
import { Client, type NeonConfig, Pool } from '@neondatabase/serverless';
import type { Log } from '../../log.ts';
import type { Database } from '../database.ts';
import { keepListening } from '../keep-listening.ts';
import { createPoolDatabase } from './pool-database.ts';
import { queryTimeoutMs } from './run-transaction.ts';

export interface NeonOptions {
  readonly connectionString: string;
  readonly log: Log;
  /** The host keeps connections open between requests. */
  readonly canListen?: boolean;
  /** The driver's own settings, for this database alone: a proxy, a WebSocket constructor. */
  readonly settings?: Partial<NeonConfig>;
}

const connectTimeoutMs = 2000;
const poolSize = 10;

export function createNeonDatabase({ connectionString, log, canListen, settings }: NeonOptions): Database {
  // The driver's configuration is otherwise global, and two databases would share one proxy.
  class ConfiguredClient extends Client {
    constructor(config?: ConstructorParameters<typeof Client>[0]) {
      super(config);
      Object.assign(this.neonConfig, settings);
    }
  }

  const config = {
    connectionString,
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: queryTimeoutMs,
  };

  function openPool(limits: { max: number; query_timeout?: number }): Pool {
    const pool = new Pool({ ...config, ...limits });
    pool.Client = ConfiguredClient;
    // A connection that breaks while idle has no other listener; unhandled, its error would end the process.
    pool.on('error', () => {});
    pool.on('connect', (client: Client) => client.on('error', () => {}));
    return pool;
  }

  const createClient = () => new ConfiguredClient(config);
  const listen: Database['listen'] = (channel, onPayload, onGap, onBroken) =>
    keepListening({ createClient, channel, onPayload, onGap, onBroken, log });

  return createPoolDatabase({
    kind: 'neon',
    label: labelOf(connectionString),
    pool: openPool({ max: poolSize }),
    openUnlimitedPool: () => openPool({ max: 1, query_timeout: 0 }),
    log,
    listen: canListen ? listen : undefined,
  });
}

function labelOf(connectionString: string): string {
  try {
    const { hostname, pathname } = new URL(connectionString);
    return `${hostname}${pathname}`;
  } catch {
    // The parser's error quotes the address, and with it the password.
    throw new Error('DATABASE_URL: expected an address such as postgres://user:password@host/database');
  }
}
