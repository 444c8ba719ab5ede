import { mkdir, rm } from 'node:fs/promises';
import { Failure } from '../../failure.ts';
import { jsonNameOf, listJsonNames } from '../../files/node-folder.ts';
import { listLeftovers, sweepLeftovers } from '../../files/node-leftovers.ts';
import { isGroupName } from '../../names/names.ts';
import type { GroupLock } from './group-lock.ts';

/** The folder that holds the group files: what is in it, by name, and what a crash may have left there. */

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
 * Removes the temporary files of writers that crashed. Inside each group's lock, where no living writer, of any
 * process, can be at work on that group.
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
 * The lock, of which each holder first takes the temporary files of holders before it away: one that lost the lock
 * while it stood still then has nothing left to put in the group's place (`group-lock.ts`).
 */
export function withoutLeftovers(directory: string, lock: GroupLock): GroupLock {
  return (name, work) =>
    lock(name, async (held) => {
      if (held.isShared) await removeLeftoversOf(directory, name);
      return await work(held);
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
