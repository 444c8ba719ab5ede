import { createMutex } from '../../async/mutex.ts';
import type { Bus } from '../../events/bus.ts';
import { Failure } from '../../failure.ts';
import { removeUnchanged, replaceFile } from '../../files/node-durable-file.ts';
import type { Log } from '../../log.ts';
import { isGroupName } from '../../names/names.ts';
import { groupExists } from '../group-failures.ts';
import type { Groups } from '../groups.ts';
import { findRenamed } from '../names/former-names.ts';
import { createEditQueue } from './edit-queue.ts';
import { createGroupCache } from './group-cache.ts';
import type { AcquiredLock, GroupLock } from './group-lock.ts';
import { listGroupNames, withoutLeftovers } from './node-group-folder.ts';
import { createFolderSync } from './node-group-folder-sync.ts';
import { type FoundGroup, readGroupFile } from './node-group-reader.ts';
import { createGroupRenamer } from './node-group-renamer.ts';
import { createGroupWriter } from './node-group-writer.ts';

/**
 * Groups kept as files in one folder: the composition of reader, cache, writer and watch. Which tools exist is
 * not known here.
 */
export interface GroupFiles extends Groups {
  /** Reads the folder, makes the default group when it is absent, and begins to watch. */
  load(): Promise<void>;
}

export interface GroupFilesDeps {
  readonly directory: string;
  readonly defaultGroup: string;
  readonly lock: GroupLock;
  readonly bus: Bus;
  readonly log: Log;
  readonly rescanEveryMs?: number;
  /** Another way to write, only to let it fail in tests. */
  readonly replace?: typeof replaceFile;
  /** The same for the removal of a group that was renamed. */
  readonly removeRenamed?: typeof removeUnchanged;
}

export function createGroupFiles(deps: GroupFilesDeps): GroupFiles {
  const { directory, defaultGroup, bus, log } = deps;
  const lock = withoutLeftovers(directory, deps.lock);
  const readGroup = async (name: string): Promise<FoundGroup | undefined> => {
    if (!(await listGroupNames(directory)).has(name)) return undefined;
    // Gone since it was listed: the next listing tells whether the file went, or the whole folder.
    return (await readGroupFile(directory, name)) ?? readGroup(name);
  };
  const cache = createGroupCache({ readGroup: async (name) => (await readGroup(name))?.parsed, bus, log });
  const writing = { directory, cache, readGroup, replace: deps.replace ?? replaceFile };
  const writer = createGroupWriter(writing);
  const { removeRenamed = removeUnchanged } = deps;
  const renameFile = createGroupRenamer({ ...writing, removeRenamed });
  // One at a time, since each holds a connection of the database for each of its locks.
  const renaming = createMutex();
  const lockBoth = createLockBoth(lock);
  const edits = createEditQueue((name, take) => lock(name, (held) => writer.edit(name, take(), held)));
  const folder = createFolderSync({ ...deps, lock, cache, writer });

  return {
    load: folder.start,
    isLoaded: folder.isLoaded,
    names: cache.names,
    read: cache.read,
    async create(name, { description = '', tools = [] }) {
      if (!isGroupName(name)) throw badName();
      const document = { name, description, included_tools: [...new Set(tools)] };
      return lock(name, (held) => writer.create(name, document, held));
    },
    change: edits.add,
    async remove(name) {
      if (name === defaultGroup) throw new Failure('conflict', 'The default group cannot be deleted.');
      await lock(name, (held) => writer.remove(name, held));
    },
    async rename(name, to, prepare) {
      if (!isGroupName(to)) throw badName();
      if (name === defaultGroup) throw new Failure('conflict', 'The default group cannot be renamed.');
      if (name === to) throw groupExists(to);
      return renaming(() => lockBoth(name, to, (held) => renameFile(name, to, held, prepare)));
    },
    renamedTo: (name) => findRenamed(cache, name),
    async close() {
      folder.stop();
      await edits.idle();
    },
  };
}

/** In the order of the names, so that two renames never wait for each other. */
function createLockBoth(lock: GroupLock) {
  return <Result>(one: string, other: string, work: (held: readonly AcquiredLock[]) => Promise<Result>) => {
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
