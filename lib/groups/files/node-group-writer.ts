import { Failure } from '../../failure.ts';
import {
  ChangedMeanwhile,
  removeFile,
  type replaceFile,
  storageFailed,
} from '../../files/node-durable-file.ts';
import { absent, type FileStamp } from '../../files/node-regular-file.ts';
import { type Group, groupExists, groupNotFound, groupUnreadable } from '../groups.ts';
import type { GroupCache } from './group-cache.ts';
import { applyEdits, type EditedGroup, type PendingEdit, usable } from './group-edits.ts';
import type { AcquiredLock } from './group-lock.ts';
import { etagOf, type FoundGroup, groupPath, readGroup } from './node-group-folder.ts';
import { formatGroup, parseGroup } from './parse-group.ts';

/**
 * Writes group files. Every function here runs inside the group's lock and reads the file again first, since another
 * process, or a person, may have changed it. Stores the group that it reads or writes in the cache.
 */
export interface GroupWriter {
  /** Resolves or rejects all edits, with at most one write. */
  edit(name: string, edits: readonly PendingEdit[], lock: AcquiredLock): Promise<void>;
  create(name: string, document: Readonly<Record<string, unknown>>, lock: AcquiredLock): Promise<Group>;
  remove(name: string, lock: AcquiredLock): Promise<void>;
}

export interface GroupWriterDeps {
  readonly directory: string;
  readonly cache: GroupCache;
  /** `replaceFile`; tests pass one that fails. */
  readonly replace: typeof replaceFile;
}

/** More changes within one edit than a person makes. */
export const maxAttempts = 20;

export function createGroupWriter({ directory, cache, replace }: GroupWriterDeps): GroupWriter {
  async function edit(name: string, edits: readonly PendingEdit[], lock: AcquiredLock): Promise<void> {
    try {
      const { outcomes } = await writeEdits(name, edits, lock);
      outcomes.forEach((outcome, at) => {
        if ('group' in outcome) edits[at]?.resolve(outcome.group);
        else edits[at]?.reject(outcome.error);
      });
    } catch (error) {
      for (const pending of edits) pending.reject(error);
    }
  }

  async function writeEdits(
    name: string,
    edits: readonly PendingEdit[],
    lock: AcquiredLock,
  ): Promise<EditedGroup> {
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const { group, stamp } = await readForEdit(name);
      const edited = applyEdits(
        group,
        edits.map((pending) => pending.edit),
        etagOf,
      );
      if (edited.group === group || (await wasWritten(edited.group, stamp, lock))) return edited;
    }
    throw new Failure('group_changed', `The file of group \`${name}\` keeps changing; try again.`);
  }

  async function readForEdit(name: string): Promise<{ group: Group; stamp: FileStamp }> {
    const found = await readGroup(directory, name);
    cache.store(name, found?.parsed);
    return usableFile(name, found);
  }

  /** False: the file changed since it was read, or the lock went to another process; nothing was written. */
  async function wasWritten(group: Group, expected: FileStamp, lock: AcquiredLock): Promise<boolean> {
    const path = groupPath(directory, group.name);
    try {
      const modifiedAt = await replace(
        path,
        formatGroup(group.document),
        expected,
        undefined,
        lock.assertLocked,
      );
      cache.store(group.name, { group: { ...group, modifiedAt } });
      return true;
    } catch (error) {
      if (error instanceof ChangedMeanwhile) return false;
      if (error instanceof Failure) throw error;
      await cache.refresh(group.name);
      throw storageFailed(fileOf(group.name), error);
    }
  }

  async function create(
    name: string,
    document: Readonly<Record<string, unknown>>,
    lock: AcquiredLock,
  ): Promise<Group> {
    if ((await readGroup(directory, name)) !== undefined) throw groupExists(name);
    const text = formatGroup(document);
    const group = usable(parseGroup(name, { text, etag: etagOf(text), modifiedAt: new Date() }));
    if (!(await wasWritten(group, absent, lock))) throw groupExists(name);
    return group;
  }

  async function remove(name: string, lock: AcquiredLock): Promise<void> {
    if ((await readGroup(directory, name)) === undefined) throw groupNotFound();
    await lock.assertLocked();
    try {
      await removeFile(groupPath(directory, name));
    } catch (error) {
      throw storageFailed(fileOf(name), error);
    } finally {
      await cache.refresh(name);
    }
  }

  return { edit, create, remove };
}

/** @throws Failure `group_not_found`, `group_unreadable`. */
export function usableFile(name: string, found: FoundGroup | undefined): { group: Group; stamp: FileStamp } {
  if (found === undefined) throw groupNotFound();
  if ('problem' in found.parsed) throw groupUnreadable(name, found.parsed.problem);
  return { group: found.parsed.group, stamp: found.stamp };
}

function fileOf(group: string): string {
  return `The file of group \`${group}\``;
}
