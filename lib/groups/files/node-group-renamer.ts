import { lstat } from 'node:fs/promises';
import { Failure } from '../../failure.ts';
import {
  ChangedMeanwhile,
  removeFile,
  type removeUnchanged,
  storageFailed,
} from '../../files/node-durable-file.ts';
import { absent, type FileStamp } from '../../files/node-regular-file.ts';
import { groupExists, groupNotFound, groupUnreadable } from '../group-failures.ts';
import type { Group } from '../groups.ts';
import { renamedDocument } from '../names/former-names.ts';
import { usable } from './apply-edits.ts';
import type { AcquiredLock } from './group-lock.ts';
import { etagOf, groupPath } from './node-group-reader.ts';
import type { GroupWriterDeps } from './node-group-writer.ts';
import { formatGroup, parseGroup } from './parse-group.ts';

/**
 * Gives a group's file another name. A file says its name inside, so a rename by the file system alone would break it:
 * the whole file is written under the new name first, and the old one goes after it. At each moment one of them serves,
 * and a crash between the two leaves both.
 * @param held The locks of both names.
 * @param prepare With the group as it is renamed; when it throws nothing is.
 */
export type RenameGroup = (
  name: string,
  to: string,
  held: readonly AcquiredLock[],
  prepare: (group: Group) => Promise<void>,
) => Promise<Group>;

/** As in `node-group-writer.ts`. */
const maxAttempts = 20;

export interface GroupRenamerDeps extends GroupWriterDeps {
  /** `removeUnchanged`; another one only to let it fail in tests. */
  readonly removeRenamed: typeof removeUnchanged;
}

export function createGroupRenamer(deps: GroupRenamerDeps): RenameGroup {
  const { directory, cache, readGroup, replace, removeRenamed } = deps;
  const pathOf = (name: string) => groupPath(directory, name);

  async function readCurrent(name: string): Promise<{ group: Group; stamp: FileStamp }> {
    const found = await readGroup(name);
    if (found === undefined) throw groupNotFound();
    if ('problem' in found.parsed) throw groupUnreadable(name, found.parsed.problem);
    return { group: found.parsed.group, stamp: found.stamp };
  }

  async function writeNew(group: Group, to: string, assertLocked: () => Promise<void>): Promise<Group> {
    const text = formatGroup(renamedDocument(group, to));
    const renamed = usable(parseGroup(to, { text, etag: etagOf(text), modifiedAt: new Date() }));
    const { mode } = await lstat(pathOf(group.name));
    const modifiedAt = await replace(pathOf(to), text, absent, mode & 0o7777, assertLocked);
    return { ...renamed, modifiedAt };
  }

  /** False: the old file was changed meanwhile, and is the only one again. */
  async function move(group: Group, stamp: FileStamp, to: string, held: readonly AcquiredLock[]) {
    const assertLocked = async () => {
      for (const lock of held) await lock.assertLocked();
    };
    const renamed = await writeNew(group, to, assertLocked);
    // Before the old one goes, so that agents always find one of them.
    cache.store(to, { group: renamed });
    try {
      await assertLocked();
      if (await removeRenamed(pathOf(group.name), stamp)) return renamed;
    } catch (error) {
      // What failed may be only to make the removal last, and then the new file is all that is left.
      if (await lstat(pathOf(group.name)).catch(() => undefined)) await removeFile(pathOf(to));
      throw error;
    }
    await removeFile(pathOf(to));
    return undefined;
  }

  return async (name, to, held, prepare) => {
    try {
      for (let attempt = 0; attempt < maxAttempts; attempt++) {
        if ((await readGroup(to)) !== undefined) throw groupExists(to);
        const { group, stamp } = await readCurrent(name);
        await prepare(group);
        const renamed = await move(group, stamp, to, held);
        if (renamed !== undefined) return renamed;
      }
      throw new Failure('group_changed', `The file of group \`${name}\` keeps changing; try again.`);
    } catch (error) {
      if (error instanceof ChangedMeanwhile) throw groupExists(to);
      if (error instanceof Failure) throw error;
      throw storageFailed(`The file of group \`${to}\``, error);
    } finally {
      await cache.refresh(to);
      await cache.refresh(name);
    }
  };
}
