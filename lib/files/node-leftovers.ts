import { randomBytes } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/**
 * The temporary files beside the files that are written, and what becomes of those whose writer was killed: they
 * may hold secrets, and nothing but the files themselves is left behind.
 */
export interface Leftover {
  readonly path: string;
  /** The name of the file that it was to become. */
  readonly target: string;
}

export function temporaryPathFor(path: string): string {
  return `${path}.${randomBytes(6).toString('hex')}.tmp`;
}

/** Some may belong to a writer that is at work: only a lock or their age can tell. */
export async function listLeftovers(folder: string): Promise<Leftover[]> {
  const files = await readdir(folder);
  return files
    .filter((file) => ending.test(file))
    .map((file) => ({ path: join(folder, file), target: file.replace(ending, '') }));
}

/** For files that no lock protects: of one file, what is older than any living writer's. */
export async function removeOldLeftovers(path: string): Promise<void> {
  for (const leftover of await listLeftovers(dirname(path))) {
    if (leftover.target !== basename(path)) continue;
    const found = await stat(leftover.path).catch(() => undefined);
    if (found && Date.now() - found.mtimeMs > leftoverAgeMs) await rm(leftover.path, { force: true });
  }
}

const ending = /\.[0-9a-f]{12}\.tmp$/;
const leftoverAgeMs = 60_000;
