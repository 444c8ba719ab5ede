/** One embedded database for all contract files of a run, made and migrated once; each file works on its own copy. */
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openDatabase } from '../../lib/database/drivers/node-open-database.ts';
import { migrate } from '../../lib/database/migrate.ts';
import { readMigrations } from '../../lib/database/node-migrations.ts';
import { silentLog } from '../../lib/log.ts';
import { scratchFolder } from '../support/scratch-folder.ts';

export interface SharedEmbedded {
  /** Environment for the children, read by `tests/support/embedded-database.ts`. */
  readonly env: Readonly<Record<string, string>>;
  remove(): Promise<void>;
}

export async function makeSharedEmbedded(): Promise<SharedEmbedded> {
  const folder = await mkdtemp(join(scratchFolder(), 'svc-mcp-embedded-'));
  const directory = join(folder, 'database');
  const database = await openDatabase({ kind: 'pglite', directory }, { log: silentLog });
  await migrate(database, await readMigrations());
  await database.close();
  return {
    env: { TEST_EMBEDDED_DATABASE: directory },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
