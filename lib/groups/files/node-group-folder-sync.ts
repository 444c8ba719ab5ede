import type { Bus } from '../../events/bus.ts';
import { toFailure } from '../../failure.ts';
import { type FolderWatch, watchFolder } from '../../files/node-watch-folder.ts';
import type { Log } from '../../log.ts';
import { isGroupName } from '../../names/names.ts';
import type { GroupCache } from './group-cache.ts';
import type { GroupLock } from './group-lock.ts';
import { listGroupNames, prepareFolder, removeLeftovers } from './node-group-folder.ts';
import type { GroupWriter } from './node-group-writer.ts';

/**
 * Keeps the cache equal to the folder: at start, on file events, on news of other processes, and from time to
 * time in case all of these missed something.
 */
export interface FolderSync {
  isLoaded(): boolean;
  /** Resolves once the folder was read and the default group was seen or made. */
  start(): Promise<void>;
  stop(): void;
}

export interface FolderSyncDeps {
  readonly directory: string;
  readonly defaultGroup: string;
  readonly cache: GroupCache;
  readonly writer: GroupWriter;
  readonly lock: GroupLock;
  readonly bus: Bus;
  readonly log: Log;
  readonly rescanEveryMs?: number;
}

export function createFolderSync(deps: FolderSyncDeps): FolderSync {
  const { directory, defaultGroup, lock, bus, log, cache, writer, rescanEveryMs } = deps;
  let loaded = false;
  let defaultIsSettled = false;
  let watching: FolderWatch | undefined;
  const unsubscribe = bus.subscribe((busMessage, origin) => {
    if (busMessage.type === 'group' && origin === 'remote') refreshSoon([busMessage.name]);
  });
  const forgetGap = bus.onGap(rescanSoon);

  /** A folder that cannot be read, such as an unmounted one, takes no group away. */
  async function refresh(name: string): Promise<void> {
    await cache.refresh(name).catch((error) => {
      if (cache.read(name)) cache.store(name, { problem: toFailure(error).message });
    });
  }

  function refreshSoon(names: readonly string[]): void {
    for (const name of names.filter(isGroupName)) refresh(name).catch(report);
  }

  function rescanSoon(): void {
    rescan().catch(report);
  }

  async function rescan(): Promise<void> {
    const listed = await listGroupNames(directory).catch(() => []);
    for (const name of new Set([...cache.names(), ...listed])) await refresh(name);
    if (loaded && !defaultIsSettled) await makeDefaultGroup();
  }

  /** Only once: a default group that is deleted later stays deleted. */
  async function makeDefaultGroup(): Promise<void> {
    if (cache.read(defaultGroup) === undefined) {
      const document = { name: defaultGroup, description: 'Default group', included_tools: [] };
      try {
        await lock(defaultGroup, (held) => writer.create(defaultGroup, document, held));
        log.info({ group: defaultGroup }, 'default group was absent and is created empty');
      } catch (error) {
        if (toFailure(error).code !== 'conflict') return report(error);
      }
    }
    defaultIsSettled = true;
  }

  function report(error: unknown): void {
    log.warn({ reason: toFailure(error).code }, 'the groups folder could not be brought up to date');
  }

  return {
    isLoaded: () => loaded,
    async start() {
      await prepareFolder(directory);
      await listGroupNames(directory);
      await rescan();
      loaded = true;
      await makeDefaultGroup();
      removeLeftovers(directory, lock).catch(report);
      watching = await watchFolder({
        folder: directory,
        onChange: refreshSoon,
        onRescan: rescanSoon,
        rescanEveryMs,
        log,
      });
    },
    stop() {
      unsubscribe();
      forgetGap();
      watching?.close();
    },
  };
}
