import { Failure } from '../../failure.ts';
import {
  ChangedMeanwhile,
  isReadOnlyVolume,
  removeFile,
  type replaceFile,
  storageFailed,
} from '../../files/node-durable-file.ts';
import { absent, type FileStamp } from '../../files/node-regular-file.ts';
import { type Group, groupExists, groupNotFound, groupUnreadable } from '../groups.ts';
import type { GroupCache } from './group-cache.ts';
import { applyEdits, type EditedGroup, type PendingEdit, usable } from './group-edits.ts';
import type { AcquiredLock } from './group-lock.ts';
import { groupReadOnly, ReadOnlyFile } from './group-read-only.ts';
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
      if (error instanceof ReadOnlyFile) refuseEach(error.group, edits);
      else for (const pending of edits) pending.reject(error);
    }
  }

  async function writeEdits(
    name: string,
    edits: readonly PendingEdit[],
    lock: AcquiredLock,
  ): Promise<EditedGroup> {
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const { group, stamp, isReadOnly } = await readForEdit(name);
      const edited = applyEdits(
        group,
        edits.map((pending) => pending.edit),
        etagOf,
      );
      if (edited.group === group) return edited;
      if (isReadOnly) throw new ReadOnlyFile(group);
      const written = await wasWritten(edited.group, stamp, lock).catch((error) => {
        throw isReadOnlyVolume(error) ? new ReadOnlyFile(group) : error;
      });
      if (written) return edited;
    }
    throw new Failure('group_changed', `The file of group \`${name}\` keeps changing; try again.`);
  }

  async function readForEdit(name: string): Promise<UsableFile> {
    const found = await readGroup(directory, name);
    // What is kept elsewhere is shown together with the other files of its version.
    if (!found?.isReadOnly) cache.store(name, found?.parsed);
    return usableFile(name, found);
  }

  /**
   * False: the file changed since it was read, or the lock went to another process; nothing was written. A volume that is
   * read-only rejects with the system's error.
   */
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
      if (error instanceof Failure || isReadOnlyVolume(error)) throw error;
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
    const written = await wasWritten(group, absent, lock).catch((error) => {
      throw isReadOnlyVolume(error) ? groupReadOnly(name, { text }) : error;
    });
    if (!written) throw groupExists(name);
    return group;
  }

  async function remove(name: string, lock: AcquiredLock): Promise<void> {
    const found = await readGroup(directory, name);
    if (found === undefined) throw groupNotFound();
    if (found.isReadOnly) throw groupReadOnly(name, {});
    await lock.assertLocked();
    try {
      await removeFile(groupPath(directory, name));
    } catch (error) {
      if (isReadOnlyVolume(error)) throw groupReadOnly(name, {});
      throw storageFailed(fileOf(name), error);
    } finally {
      await cache.refresh(name);
    }
  }

  return { edit, create, remove };
}

/** Tells each edit what it alone would have made of the file. */
function refuseEach(group: Group, edits: readonly PendingEdit[]): void {
  for (const { edit, resolve, reject } of edits) {
    const { outcomes } = applyEdits(group, [edit], etagOf);
    for (const outcome of outcomes) {
      if ('error' in outcome) reject(outcome.error);
      else if (outcome.group === group) resolve(group);
      else reject(groupReadOnly(group.name, { text: formatGroup(outcome.group.document) }));
    }
  }
}

export interface UsableFile {
  readonly group: Group;
  readonly stamp: FileStamp;
  readonly isReadOnly: boolean;
}

/** @throws Failure `group_not_found`, `group_unreadable`. */
export function usableFile(name: string, found: FoundGroup | undefined): UsableFile {
  if (found === undefined) throw groupNotFound();
  const { parsed, stamp, isReadOnly } = found;
  if ('problem' in parsed) throw groupUnreadable(name, parsed.problem);
  return { group: parsed.group, stamp, isReadOnly };
}

function fileOf(group: string): string {
  return `The file of group \`${group}\``;
}
