import { lstat } from 'node:fs/promises';
import { Failure } from '../../failure.ts';
import {
  ChangedMeanwhile,
  isReadOnlyVolume,
  removeFile,
  type removeUnchanged,
  storageFailed,
} from '../../files/node-durable-file.ts';
import { absent, type FileStamp } from '../../files/node-regular-file.ts';
import { type Group, groupExists } from '../groups.ts';
import { renamedDocument } from './former-names.ts';
import { usable } from './group-edits.ts';
import type { AcquiredLock } from './group-lock.ts';
import { groupReadOnly, ReadOnlyFile } from './group-read-only.ts';
import { etagOf, groupPath, readGroup } from './node-group-folder.ts';
import { type GroupWriterDeps, maxAttempts, usableFile } from './node-group-writer.ts';
import { formatGroup, parseGroup } from './parse-group.ts';

/**
 * Gives a group's file another name. A file contains its name, so a rename by the file system alone would break it: the
 * whole file is written under the new name first, and the old one is deleted after that. At each moment one of them
 * serves, and a crash between the two steps leaves both.
 * @param locks Of both names.
 * @param prepare Gets the group before the rename; when it throws, the group keeps its name.
 */
export type RenameGroup = (
  name: string,
  to: string,
  locks: readonly AcquiredLock[],
  prepare: (group: Group) => Promise<void>,
) => Promise<Group>;

export interface GroupRenamerDeps extends GroupWriterDeps {
  /** `removeUnchanged`; tests pass one that fails. */
  readonly removeRenamed: typeof removeUnchanged;
}

export function createGroupRenamer(deps: GroupRenamerDeps): RenameGroup {
  const { directory, cache, replace, removeRenamed } = deps;
  const pathOf = (name: string) => groupPath(directory, name);

  async function writeNew(group: Group, to: string, assertLocked: () => Promise<void>): Promise<Group> {
    const text = formatGroup(renamedDocument(group.name, group.document, to));
    const renamed = usable(parseGroup(to, { text, etag: etagOf(text), modifiedAt: new Date() }));
    const { mode } = await lstat(pathOf(group.name));
    const modifiedAt = await replace(pathOf(to), text, absent, mode & 0o7777, assertLocked);
    return { ...renamed, modifiedAt };
  }

  /** Undefined: the old file was changed meanwhile, and the new one was removed again. */
  async function move(group: Group, stamp: FileStamp, to: string, locks: readonly AcquiredLock[]) {
    const assertLocked = async () => {
      for (const lock of locks) await lock.assertLocked();
    };
    const renamed = await writeNew(group, to, assertLocked);
    // Before the old file is deleted, so that agents always find one of them.
    cache.store(to, { group: renamed });
    try {
      await assertLocked();
      if (await removeRenamed(pathOf(group.name), stamp)) return renamed;
    } catch (error) {
      // The removal may have succeeded, and only its flush failed: then the new file is the only one.
      if (await lstat(pathOf(group.name)).catch(() => undefined)) await removeFile(pathOf(to));
      throw error;
    }
    await removeFile(pathOf(to));
    return undefined;
  }

  return async (name, to, locks, prepare) => {
    try {
      for (let attempt = 0; attempt < maxAttempts; attempt++) {
        if ((await readGroup(directory, to)) !== undefined) throw groupExists(to);
        const { group, stamp, isReadOnly } = usableFile(name, await readGroup(directory, name));
        if (isReadOnly) throw new ReadOnlyFile(group);
        await prepare(group);
        const renamed = await move(group, stamp, to, locks).catch((error) => {
          throw isReadOnlyVolume(error) ? new ReadOnlyFile(group) : error;
        });
        if (renamed !== undefined) return renamed;
      }
      throw new Failure('group_changed', `The file of group \`${name}\` keeps changing; try again.`);
    } catch (error) {
      if (error instanceof ReadOnlyFile) {
        throw groupReadOnly(name, { text: formatGroup(renamedDocument(name, error.group.document, to)), to });
      }
      if (error instanceof ChangedMeanwhile) throw groupExists(to);
      if (error instanceof Failure) throw error;
      throw storageFailed(`The file of group \`${to}\``, error);
    } finally {
      await cache.refresh(to);
      await cache.refresh(name);
    }
  };
}
