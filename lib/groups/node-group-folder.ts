import { mkdir, readdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { isGroupName } from '../catalog/names.ts';
import { Failure } from '../http/failure.ts';
import type { GroupLock } from './group-lock.ts';
import { targetOfTemporary } from './node-durable-write.ts';

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
  const files = await readdir(directory).catch((cause) => {
    throw folderFailed(cause);
  });
  const names = files.filter((file) => file.endsWith('.json')).map(withoutEnding);
  return new Set(names.filter(isGroupName));
}

/**
 * Removes the temporary files of writers that crashed. Inside each group's lock, where no living writer, of any
 * process, can be at work on that group.
 */
export async function removeLeftovers(directory: string, lock: GroupLock): Promise<void> {
  for (const file of await readdir(directory)) {
    const target = targetOfTemporary(file);
    if (!target?.endsWith('.json')) continue;
    await lock(withoutEnding(target), () => unlink(join(directory, file)).catch(() => undefined));
  }
}

function withoutEnding(file: string): string {
  return file.slice(0, -'.json'.length);
}

function folderFailed(cause: unknown): Failure {
  const code = (cause as NodeJS.ErrnoException).code ?? 'unknown';
  return new Failure('storage_failed', `The groups folder (GROUPS_DIR) cannot be used (${code}).`, { cause });
}
