import { mkdir, open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { Failure } from '../http/failure.ts';

/**
 * Writing and removing files so that they are whole at every instant and survive a power cut once these
 * functions resolve: temporary file, fsync, rename, then fsync of the folder, which write-file-atomic leaves out.
 * Every refusal of the file system is the Failure `storage_failed`; the old content then still stands.
 */
export async function writeDurably(path: string, text: string, mode?: number): Promise<void> {
  await refusingCleanly(async () => {
    await mkdir(dirname(path), { recursive: true });
    await writeFileAtomic(path, text, mode === undefined ? {} : { mode });
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
