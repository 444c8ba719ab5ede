import type { Catalog } from '../../catalog/catalog.ts';
import type { Log } from '../../log.ts';
import { storedElsewhere } from './judge-absence.ts';
import type { SeenConfigs } from './seen-configs.ts';

/** In which folder each config file was seen last: by this process, and by those before it. */
export interface FolderMemory {
  /** File → identity of the folder, or `elsewhere`. */
  readonly seenIn: ReadonlyMap<string, string>;
  /** Reads what is stored, the first time. */
  load(): Promise<void>;
  /**
   * To be called once the servers of these files are stored. Never rejects; what cannot be stored is, the next time.
   * @param areMissed Others are missed in this folder: what was seen in another one keeps to that.
   */
  note(found: readonly string[], folder: string, areMissed: boolean): Promise<void>;
  /** Those are no servers any more. */
  forget(isKnown: (name: string) => boolean): void;
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
    async note(found, folder, areMissed) {
      const place = areMissed ? storedElsewhere : folder;
      const placed = areMissed ? found.filter((name) => (seenIn.get(name) ?? place) === place) : found;
      for (const name of placed) seenIn.set(name, place);
      const busMessage = placed.filter((name) => stored.get(name) !== place && catalog.server(name));
      if (busMessage.length === 0) return;
      try {
        await seen.note(busMessage, place);
        for (const name of busMessage) stored.set(name, place);
      } catch (error) {
        log.warn({ error: String(error) }, 'Where config files were seen is stored later.');
      }
    },
    forget(isKnown) {
      for (const name of [...seenIn.keys()].filter((each) => !isKnown(each))) {
        seenIn.delete(name);
        stored.delete(name);
      }
    },
  };
}
