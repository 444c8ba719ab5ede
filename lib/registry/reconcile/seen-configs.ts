import type { Catalog } from '../../catalog/catalog.ts';
import type { Database } from '../../database/database.ts';
import type { Log } from '../../log.ts';
import { storedElsewhere } from './judge-absence.ts';

/**
 * The folder in which the config file of each stored server was seen last. This distinguishes a removed file from
 * another folder that lacks the file, also after a restart.
 */
export interface SeenConfigs {
  /** Server → identity of the folder (`ConfigFiles.folder`), or `elsewhere` (`judge-absence.ts`). */
  read(): Promise<ReadonlyMap<string, string>>;
  /** Ignores names without a stored server. */
  record(servers: readonly string[], folder: string): Promise<void>;
}

/** Stored in the table `seen_configs`, by installation: the identity of a folder is valid on one machine only. */
export function createSeenConfigs({
  database,
  installationId,
}: {
  readonly database: Database;
  readonly installationId: string;
}): SeenConfigs {
  return {
    async read() {
      const rows = await database.query<{ server: string; folder: string }>(
        'select server, folder from seen_configs where installation = $1',
        [installationId],
      );
      return new Map(rows.map(({ server, folder }) => [server, folder]));
    },
    async record(servers, folder) {
      await database.query(
        `insert into seen_configs (installation, server, folder)
         select $1, name, $3 from servers where name = any($2::text[])
         on conflict (installation, server) do update set folder = $3`,
        [installationId, servers, folder],
      );
    },
  };
}

/** Cache over `SeenConfigs`: the folder in which this process or an earlier one saw each config file last. */
export interface FolderMemory {
  /** File → identity of the folder, or `elsewhere`. */
  readonly seenIn: ReadonlyMap<string, string>;
  /** The first call reads the stored rows. */
  load(): Promise<void>;
  /**
   * Called once the servers of these files are stored. Never rejects; the next call stores the records of a failed one.
   * @param areMissed Other files are missing in this folder: files that were seen in another one keep that folder.
   */
  record(found: readonly string[], folder: string, areMissed: boolean): Promise<void>;
  /** Drops names that are no longer servers. */
  deleteUnknown(isKnown: (name: string) => boolean): void;
}

export function createFolderMemory({
  seen,
  catalog,
  log,
}: {
  readonly seen: SeenConfigs;
  readonly catalog: Pick<Catalog, 'server'>;
  readonly log: Log;
}): FolderMemory {
  const seenIn = new Map<string, string>();
  const stored = new Map<string, string>();
  let isLoaded = false;

  return {
    seenIn,
    async load() {
      if (isLoaded) return;
      for (const [name, folder] of await seen.read()) {
        seenIn.set(name, folder);
        stored.set(name, folder);
      }
      isLoaded = true;
    },
    async record(found, folder, areMissed) {
      const place = areMissed ? storedElsewhere : folder;
      const placed = areMissed ? found.filter((name) => (seenIn.get(name) ?? place) === place) : found;
      for (const name of placed) seenIn.set(name, place);
      const changed = placed.filter((name) => stored.get(name) !== place && catalog.server(name));
      if (changed.length === 0) return;
      try {
        await seen.record(changed, place);
        for (const name of changed) stored.set(name, place);
      } catch (error) {
        log.warn({ error: String(error) }, 'Where config files were seen is stored later.');
      }
    },
    deleteUnknown(isKnown) {
      for (const name of [...seenIn.keys()].filter((each) => !isKnown(each))) {
        seenIn.delete(name);
        stored.delete(name);
      }
    },
  };
}
