import { Failure } from '../../failure.ts';
import {
  ChangedMeanwhile,
  removeFile,
  type replaceFile,
  storageFailed,
} from '../../files/node-durable-file.ts';
import { absent, type FileStamp } from '../../files/node-regular-file.ts';
import { groupExists, groupNotFound, groupUnreadable } from '../group-failures.ts';
import type { Group } from '../groups.ts';
import { applyEdits, type EditedGroup, usable } from './apply-edits.ts';
import type { PendingEdit } from './edit-queue.ts';
import type { GroupCache } from './group-cache.ts';
import type { AcquiredLock } from './group-lock.ts';
import { etagOf, type FoundGroup, groupPath } from './node-group-reader.ts';
import { formatGroup, parseGroup } from './parse-group.ts';

/**
 * Writes group files. Every function here expects to hold the group's lock and reads the file again first:
 * another process, or a person, may have changed it. What it learns goes to the cache.
 */
export interface GroupWriter {
  /** Settles all edits with at most one write. */
  edit(name: string, edits: readonly PendingEdit[], held: AcquiredLock): Promise<void>;
  create(name: string, document: Readonly<Record<string, unknown>>, held: AcquiredLock): Promise<Group>;
  remove(name: string, held: AcquiredLock): Promise<void>;
}

export interface GroupWriterDeps {
  readonly directory: string;
  readonly cache: GroupCache;
  readonly readGroup: (name: string) => Promise<FoundGroup | undefined>;
  /** `replaceFile`; another one only to let it fail in tests. */
  readonly replace: typeof replaceFile;
}

/** A person who saves this often within one edit is not a person. */
const maxAttempts = 20;

export function createGroupWriter({ directory, cache, readGroup, replace }: GroupWriterDeps): GroupWriter {
  async function edit(name: string, edits: readonly PendingEdit[], held: AcquiredLock): Promise<void> {
    try {
      const { outcomes } = await writeEdits(name, edits, held);
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
    held: AcquiredLock,
  ): Promise<EditedGroup> {
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const { group, stamp } = await readForEdit(name);
      const edited = applyEdits(
        group,
        edits.map((pending) => pending.edit),
        etagOf,
      );
      if (edited.group === group || (await wasWritten(edited.group, stamp, held))) return edited;
    }
    throw new Failure('group_changed', `The file of group \`${name}\` keeps changing; try again.`);
  }

  async function readForEdit(name: string): Promise<{ group: Group; stamp: FileStamp }> {
    const found = await readGroup(name);
    cache.store(name, found?.parsed);
    if (found === undefined) throw groupNotFound();
    if ('problem' in found.parsed) throw groupUnreadable(name, found.parsed.problem);
    return { group: found.parsed.group, stamp: found.stamp };
  }

  /** False: somebody else changed the file since it was read, or took the lock over; nothing was written. */
  async function wasWritten(group: Group, expected: FileStamp, held: AcquiredLock): Promise<boolean> {
    const path = groupPath(directory, group.name);
    try {
      const modifiedAt = await replace(
        path,
        formatGroup(group.document),
        expected,
        undefined,
        held.assertLocked,
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
    held: AcquiredLock,
  ): Promise<Group> {
    if ((await readGroup(name)) !== undefined) throw groupExists(name);
    const text = formatGroup(document);
    const group = usable(parseGroup(name, { text, etag: etagOf(text), modifiedAt: new Date() }));
    if (!(await wasWritten(group, absent, held))) throw groupExists(name);
    return group;
  }

  async function remove(name: string, held: AcquiredLock): Promise<void> {
    if ((await readGroup(name)) === undefined) throw groupNotFound();
    await held.assertLocked();
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

function fileOf(group: string): string {
  return `The file of group \`${group}\``;
}
