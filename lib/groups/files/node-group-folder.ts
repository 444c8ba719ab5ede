import { createHash } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Failure, toFailure } from '../../failure.ts';
import { jsonNameOf, listJsonNames } from '../../files/node-folder.ts';
import { listLeftovers, sweepLeftovers } from '../../files/node-leftovers.ts';
import { readFolderFile, swappedVersion } from '../../files/node-linked-file.ts';
import type { FileStamp } from '../../files/node-regular-file.ts';
import { isGroupName } from '../../names/names.ts';
import type { GroupLock } from './group-lock.ts';
import { type ParsedGroup, parseGroup } from './parse-group.ts';

/** The folder of the group files: lists their names, reads one, and removes temporary files of a crash. */

/** @throws Failure `storage_failed`, whose sentence names the setting. */
export async function prepareFolder(directory: string): Promise<void> {
  try {
    await mkdir(directory, { recursive: true });
  } catch (cause) {
    throw folderFailed(cause);
  }
}

/**
 * Exactly as the folder spells them, also on file systems that ignore case.
 * @throws Failure `storage_failed` when the folder is missing or cannot be read.
 */
export async function listGroupNames(directory: string): Promise<ReadonlySet<string>> {
  const names = await listJsonNames(directory).catch((cause) => {
    throw folderFailed(cause);
  });
  return new Set(names.filter(isGroupName));
}

/**
 * Removes the temporary files of writers that crashed. Runs inside each group's lock, which excludes all other writers
 * of that group, of any process.
 */
export async function removeLeftovers(directory: string, lock: GroupLock): Promise<void> {
  const nameOf = (target: string) => jsonNameOf(target) ?? '';
  await sweepLeftovers(
    directory,
    (target) => nameOf(target) !== '',
    (target, work) => lock(nameOf(target), work),
  );
}

/**
 * The same lock, whose holder first removes the temporary files of earlier holders: a holder that lost the lock while
 * it was suspended then has no file left to rename (`group-lock.ts`).
 */
export function withoutLeftovers(directory: string, lock: GroupLock): GroupLock {
  return (name, work) =>
    lock(name, async (acquired) => {
      if (acquired.isShared) await removeLeftoversOf(directory, name);
      return await work(acquired);
    });
}

async function removeLeftoversOf(directory: string, name: string): Promise<void> {
  try {
    for (const { path, target } of await listLeftovers(directory)) {
      if (jsonNameOf(target) === name) await rm(path, { force: true });
    }
  } catch (cause) {
    throw folderFailed(cause);
  }
}

function folderFailed(cause: unknown): Failure {
  const code = (cause as NodeJS.ErrnoException).code ?? 'unknown';
  return new Failure('storage_failed', `The groups folder (GROUPS_DIR) cannot be used (${code}).`, { cause });
}

export interface FoundGroup {
  readonly parsed: ParsedGroup;
  /** The version that was read; one that equals no version when the file could not be read. */
  readonly stamp: FileStamp;
  /** The file is kept elsewhere, and is not ours to write. */
  readonly isReadOnly: boolean;
}

export function groupPath(directory: string, name: string): string {
  return join(directory, `${name}.json`);
}

export function etagOf(text: string): string {
  return `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`;
}

/** Reads one group file as it is now. Undefined: no such file. */
export async function readGroup(directory: string, name: string): Promise<FoundGroup | undefined> {
  if (!(await listGroupNames(directory)).has(name)) return undefined;
  // Deleted since it was listed: only another listing shows whether the file is gone, or the whole folder.
  return (await readGroupFile(directory, name)) ?? readGroup(directory, name);
}

async function readGroupFile(directory: string, name: string): Promise<FoundGroup | undefined> {
  const content = await readFolderFile(groupPath(directory, name));
  if (content.kind === 'absent') return undefined;
  if (content.kind === 'unusable') {
    return { parsed: { problem: content.problem }, stamp: 'unread', isReadOnly: false };
  }
  const { text, modifiedAt, stamp, isLink: isReadOnly } = content;
  const parsed = parseGroup(name, { text, etag: etagOf(text), modifiedAt });
  if (!isReadOnly || 'problem' in parsed) return { parsed, stamp, isReadOnly };
  return { parsed: { group: { ...parsed.group, isReadOnly } }, stamp, isReadOnly };
}

/**
 * Reads these group files, all of one version where the folder's files get another one all at once. A group that is known
 * and whose file cannot be read has a problem. Undefined: they got another version meanwhile.
 */
export async function readTogether(
  directory: string,
  names: readonly string[],
  isKnown: (name: string) => boolean,
): Promise<ReadonlyMap<string, ParsedGroup | undefined> | undefined> {
  const version = await swappedVersion(directory);
  const found = new Map<string, ParsedGroup | undefined>();
  for (const name of names) {
    const problemOf = (error: unknown) =>
      isKnown(name) ? { parsed: { problem: toFailure(error).message } } : undefined;
    found.set(name, (await readGroup(directory, name).catch(problemOf))?.parsed);
  }
  return (await swappedVersion(directory)) === version ? found : undefined;
}
