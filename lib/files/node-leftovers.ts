import { randomBytes } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/**
 * The temporary files beside the files that are written. Those whose writer was killed are removed: they may hold
 * secrets.
 */
export interface Leftover {
  readonly path: string;
  /** The name of the file that it was to become. */
  readonly target: string;
}

export function temporaryPathFor(path: string): string {
  return `${path}.${randomBytes(6).toString('hex')}.tmp`;
}

/** Some may belong to a writer that is running: only a lock or their age can tell. */
export async function listLeftovers(folder: string): Promise<Leftover[]> {
  const files = await readdir(folder);
  return files
    .filter((file) => ending.test(file))
    .map((file) => ({ path: join(folder, file), target: file.replace(ending, '') }));
}

/** A lock under which no writer uses the temporary file. Without a lock its age decides: older than any running writer's. */
export type LeftoverLock = (target: string, work: () => Promise<void>) => Promise<void>;

/**
 * Removes the temporary files of writers that were killed, as each service does at its start. Files that are too young to
 * be judged by their age are checked again later, without waiting. A folder that does not exist or may not be written has
 * none.
 * @param isOurs Which files to clean up after, by name.
 */
export async function sweepLeftovers(
  folder: string,
  isOurs: (target: string) => boolean,
  lock?: LeftoverLock,
): Promise<void> {
  const leftovers = (await listLeftovers(folder).catch(() => [])).filter(({ target }) => isOurs(target));
  for (const { path, target } of leftovers) {
    if (lock) await lock(target, () => rm(path, { force: true }));
    else if (!(await removeIfOld(path)))
      setTimeout(() => void removeIfOld(path), leftoverAgeMs + 100).unref();
  }
}

/** For files without a lock: removes the temporary files of one file that are older than any running writer's. */
export async function removeOldLeftovers(path: string): Promise<void> {
  for (const leftover of await listLeftovers(dirname(path))) {
    if (leftover.target === basename(path)) await removeIfOld(leftover.path);
  }
}

/** False when the file may still be written. */
async function removeIfOld(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  if (found && Date.now() - found.mtimeMs <= leftoverAgeMs) return false;
  await rm(path, { force: true }).catch(() => {});
  return true;
}

const ending = /\.[0-9a-f]{12}\.tmp$/;
/** Writing takes milliseconds. A writer that was suspended for longer finds its file gone, and fails cleanly. */
const leftoverAgeMs = 10_000;
