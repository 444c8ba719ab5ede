import { randomBytes } from 'node:crypto';
import { chmod, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Failure } from '../http/failure.ts';

/**
 * Writing and removing files so that they are whole at every instant and survive a power cut once these
 * functions resolve: temporary file, fsync, rename, fsync of the folder. Not with write-file-atomic: on a disk
 * that fills up it installs the truncated file and reports success. Every refusal of the file system is the
 * Failure `storage_failed`; the old content then still stands.
 */

/** @param mode Of the new file; absent: that of the replaced one, or 0644. Creates the folder when missing. */
export async function writeDurably(path: string, text: string, mode?: number): Promise<void> {
  await refusingCleanly(async () => {
    await mkdir(dirname(path), { recursive: true });
    await removeLeftovers(path);
    const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
    try {
      await writeAndSync(temporary, text, mode ?? (await modeOf(path)));
      await rename(temporary, path);
    } finally {
      await rm(temporary, { force: true });
    }
    await syncFolder(dirname(path));
  });
}

/** Fine when there is no such file. */
export async function removeDurably(path: string): Promise<void> {
  await refusingCleanly(async () => {
    await rm(path, { force: true });
    await syncFolder(dirname(path));
  });
}

const leftoverAgeMs = 60_000;

/** What a process that was killed while writing left behind; it may hold secrets. */
async function removeLeftovers(path: string): Promise<void> {
  const folder = dirname(path);
  const prefix = `${basename(path)}.`;
  for (const entry of await readdir(folder)) {
    if (!entry.startsWith(prefix) || !/^[0-9a-f]{12}\.tmp$/.test(entry.slice(prefix.length))) continue;
    const found = await stat(join(folder, entry)).catch(() => undefined);
    if (found && Date.now() - found.mtimeMs > leftoverAgeMs) await rm(join(folder, entry), { force: true });
  }
}

async function writeAndSync(path: string, text: string, mode: number): Promise<void> {
  const handle = await open(path, 'wx', mode);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  // `open` subtracts the umask.
  await chmod(path, mode);
}

async function modeOf(path: string): Promise<number> {
  const found = await stat(path).catch(() => undefined);
  return found ? found.mode & 0o7777 : 0o644;
}

export function createFolder(path: string): Promise<void> {
  return refusingCleanly(async () => void (await mkdir(path, { recursive: true })));
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function refusingCleanly(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const isFull = ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '');
    throw new Failure(
      'storage_failed',
      isFull ? 'The file could not be written: no space left.' : 'The file could not be written.',
      { status: isFull ? 507 : 500, cause: error },
    );
  }
}
