/**
 * Opens the configured backend. Each backend is loaded only when used: the embedded database costs memory and start-up
 * time that an installation on Postgres should not pay.
 */
import type { Log } from '../../log.ts';
import type { Database, DatabaseTarget } from '../database.ts';

/**
 * Postgres: returns without connecting, and never rejects because the server is away. Embedded: resolves when the
 * database is open; the caller holds the lock of its directory (`node-data-lock.ts`).
 */
export async function openDatabase(target: DatabaseTarget, { log }: { log: Log }): Promise<Database> {
  if (target.kind === 'postgres') {
    const { createPostgresDatabase } = await import('./node-postgres-database.ts');
    return createPostgresDatabase(target, { log });
  }
  const { openPgliteDatabase } = await import('./node-pglite-database.ts');
  return await openPgliteDatabase({ directory: target.directory, log });
}
