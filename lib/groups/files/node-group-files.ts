import { createMutex } from '../../async/mutex.ts';
import type { Bus } from '../../events/bus.ts';
import { Failure, toFailure } from '../../failure.ts';
import { removeUnchanged, replaceFile } from '../../files/node-durable-file.ts';
import { swappedVersion } from '../../files/node-linked-file.ts';
import { type FolderWatch, watchFolder } from '../../files/node-watch-folder.ts';
import type { Log } from '../../log.ts';
import { isGroupName } from '../../names/names.ts';
import { type Groups, groupExists } from '../groups.ts';
import { findRenamed } from './former-names.ts';
import { createGroupCache, type GroupCache } from './group-cache.ts';
import { createEditQueue } from './group-edits.ts';
import type { AcquiredLock, GroupLock } from './group-lock.ts';
import {
  listGroupNames,
  prepareFolder,
  readGroup,
  readTogether,
  removeLeftovers,
  withoutLeftovers,
} from './node-group-folder.ts';
import { createGroupRenamer } from './node-group-renamer.ts';
import { createGroupWriter, type GroupWriter } from './node-group-writer.ts';

/**
 * Groups as files in one folder: the composition of folder, cache, edits, writer and watch. The files may name tools that
 * no server offers.
 */
export interface GroupFiles extends Groups {
  /** Reads the folder, creates the default group when it is absent, and begins to watch. */
  load(): Promise<void>;
  /** Reads one group's file now. A folder that cannot be read becomes the group's problem. */
  refresh(name: string): Promise<void>;
}

export interface GroupFilesDeps {
  readonly directory: string;
  readonly defaultGroup: string;
  readonly lock: GroupLock;
  readonly bus: Bus;
  readonly log: Log;
  readonly rescanEveryMs?: number;
  /** `replaceFile`; tests pass one that fails. */
  readonly replace?: typeof replaceFile;
  /** `removeUnchanged`; tests pass one that fails. */
  readonly removeRenamed?: typeof removeUnchanged;
}

export function createGroupFiles(deps: GroupFilesDeps): GroupFiles {
  const { directory, defaultGroup, bus, log } = deps;
  const lock = withoutLeftovers(directory, deps.lock);
  const cache = createGroupCache({
    readGroup: async (name) => (await readGroup(directory, name))?.parsed,
    bus,
    log,
  });
  const { replace = replaceFile, removeRenamed = removeUnchanged } = deps;
  const writer = createGroupWriter({ directory, cache, replace });
  const renameFile = createGroupRenamer({ directory, cache, replace, removeRenamed });
  // One rename at a time, since each needs two connections of the database for its locks.
  const renaming = createMutex();
  const lockBoth = createLockBoth(lock);
  const edits = createEditQueue((name, dequeue) =>
    lock(name, (acquired) => writer.edit(name, dequeue(), acquired)),
  );
  const folder = createFolderSync({ ...deps, lock, cache, writer });

  return {
    load: folder.start,
    refresh: folder.refresh,
    isLoaded: folder.isLoaded,
    names: cache.names,
    read: cache.read,
    async create(name, { description = '', tools = [] }) {
      if (!isGroupName(name)) throw badName();
      const document = { name, description, included_tools: [...new Set(tools)] };
      return lock(name, (acquired) => writer.create(name, document, acquired));
    },
    change: edits.add,
    async remove(name) {
      if (name === defaultGroup) throw new Failure('conflict', 'The default group cannot be deleted.');
      await lock(name, (acquired) => writer.remove(name, acquired));
    },
    async rename(name, to, prepare) {
      if (!isGroupName(to)) throw badName();
      if (name === defaultGroup) throw new Failure('conflict', 'The default group cannot be renamed.');
      if (name === to) throw groupExists(to);
      return renaming(() => lockBoth(name, to, (locks) => renameFile(name, to, locks, prepare)));
    },
    renamedTo: (name) => findRenamed(cache, name),
    async close() {
      folder.stop();
      await edits.idle();
    },
  };
}

/** Takes the locks in the order of the names, so that two renames never wait for each other. */
function createLockBoth(lock: GroupLock) {
  return <Result>(one: string, other: string, work: (locks: readonly AcquiredLock[]) => Promise<Result>) => {
    const [first = one, second = other] = [one, other].sort();
    return lock(first, (outer) => lock(second, (inner) => work([outer, inner])));
  };
}

function badName(): Failure {
  return new Failure(
    'invalid_params',
    'A group name is 1 to 64 letters, digits, `.`, `_` or `-`, begins with a letter or digit and has no `..`.',
  );
}

/**
 * Keeps the cache equal to the folder: at start, on file events, on bus messages of other processes, and from time to
 * time in case all of these missed a change.
 */
interface FolderSync {
  isLoaded(): boolean;
  refresh(name: string): Promise<void>;
  /** Resolves once the folder was read and the default group exists. */
  start(): Promise<void>;
  stop(): void;
}

const noDefaultGroup =
  'the default group is absent, and the groups folder is read-only: put its file there, or set DEFAULT_GROUP';

interface FolderSyncDeps extends GroupFilesDeps {
  readonly cache: GroupCache;
  readonly writer: GroupWriter;
}

function createFolderSync(deps: FolderSyncDeps): FolderSync {
  const { directory, defaultGroup, lock, bus, log, cache, writer, rescanEveryMs } = deps;
  const oneByOne = createMutex();
  let next: Promise<void> | undefined;
  let loaded = false;
  let defaultIsMade = false;
  let watching: FolderWatch | undefined;
  const unsubscribe = bus.subscribe((busMessage, origin) => {
    if (busMessage.type === 'group' && origin === 'remote') refreshSoon([busMessage.name]);
  });
  const unsubscribeGaps = bus.onGap(rescanSoon);

  /** A folder that cannot be read, such as an unmounted one, deletes no group. */
  async function refresh(name: string): Promise<void> {
    await cache.refresh(name).catch((error) => {
      if (cache.read(name)) cache.store(name, { problem: toFailure(error).message });
    });
  }

  async function refreshAll(names: readonly string[]): Promise<void> {
    // One by one, some groups would be seen in a newer version of the folder than others.
    if ((await swappedVersion(directory)) !== undefined) await rescan();
    else await Promise.all(names.map(refresh));
  }

  function refreshSoon(names: readonly string[]): void {
    refreshAll(names.filter(isGroupName)).catch(report);
  }

  function rescanSoon(): void {
    rescan().catch(report);
  }

  /** Resolves after a pass that began after this call. */
  function rescan(): Promise<void> {
    next ??= oneByOne(() => {
      next = undefined;
      return rescanNow();
    });
    return next;
  }

  async function rescanNow(): Promise<void> {
    const listed = await listGroupNames(directory).catch(() => []);
    const names = [...new Set([...cache.names(), ...listed])];
    const isKnown = (name: string) => cache.read(name) !== undefined;
    await cache.refreshTogether(names, (left) => readTogether(directory, left, isKnown));
    if (loaded && !defaultIsMade) await makeDefaultGroup();
  }

  /** Only once: a default group that is deleted later stays deleted. */
  async function makeDefaultGroup(): Promise<void> {
    if (cache.read(defaultGroup) === undefined) {
      const document = { name: defaultGroup, description: 'Default group', included_tools: [] };
      try {
        await lock(defaultGroup, (acquired) => writer.create(defaultGroup, document, acquired));
        log.info({ group: defaultGroup }, 'default group was absent and is created empty');
      } catch (error) {
        const { code } = toFailure(error);
        if (code === 'group_read_only') log.warn({ group: defaultGroup }, noDefaultGroup);
        else if (code !== 'conflict') return report(error);
      }
    }
    defaultIsMade = true;
  }

  function report(error: unknown): void {
    log.warn({ reason: toFailure(error).code }, 'the groups folder could not be brought up to date');
  }

  return {
    isLoaded: () => loaded,
    refresh: (name) => refreshAll([name]),
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
      unsubscribeGaps();
      watching?.close();
    },
  };
}
