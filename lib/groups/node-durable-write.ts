import { randomBytes } from 'node:crypto';
import { lstatSync, mkdirSync, renameSync } from 'node:fs';
import { type FileHandle, lstat, open, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Replaces small files so that readers and crashes see the old or the new content, whole: temporary file, fsync,
 * rename, fsync of the directory. Own code for two things that write-file-atomic does not do: on a disk that
 * fills up during the write it installs the truncated file and reports success, and it cannot notice that
 * somebody else changed the file in the meantime.
 */

/** Identity and version of a file; differs after any change. */
export type FileStamp = string;

/** There was no such file. */
export const absent: FileStamp = 'absent';

/** Somebody changed the file since its stamp was taken. Nothing was written. */
export class ChangedMeanwhile extends Error {}

export interface BigStats {
  readonly ino: bigint;
  readonly size: bigint;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
}

export function stampOf(stats: BigStats): FileStamp {
  return `${stats.ino}:${stats.size}:${stats.mtimeNs}:${stats.ctimeNs}`;
}

/**
 * Resolves with the new file's modification time once it would survive a power cut. The mode and, where
 * permitted, the owner of a replaced file are kept.
 * @throws ChangedMeanwhile when the file is no longer the one that `expected` stands for; errors of the disk.
 */
export async function replaceFile(path: string, text: string, expected: FileStamp): Promise<Date> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    const modifiedAt = await writeTemporary(temporary, text, path);
    swap(temporary, path, expected);
    await syncDirectory(dirname(path));
    return modifiedAt;
  } catch (error) {
    await unlink(temporary).catch(ignoreMissing);
    throw error;
  }
}

export async function removeFile(path: string): Promise<void> {
  await unlink(path);
  await syncDirectory(dirname(path));
}

/** The name of the file that a temporary file of `replaceFile` was made for; undefined for any other name. */
export function targetOfTemporary(name: string): string | undefined {
  return temporaryEnding.test(name) ? name.replace(temporaryEnding, '') : undefined;
}

const temporaryEnding = /\.[0-9a-f]+\.tmp$/;

async function writeTemporary(temporary: string, text: string, replaced: string): Promise<Date> {
  const file = await open(temporary, 'wx', 0o644);
  try {
    await keepOwnership(file, replaced);
    await file.writeFile(text);
    await file.sync();
    return (await file.stat()).mtime;
  } finally {
    await file.close();
  }
}

async function keepOwnership(file: FileHandle, replaced: string): Promise<void> {
  const old = await lstat(replaced).catch(ignoreMissing);
  if (!old) return;
  await file.chmod(old.mode & 0o7777);
  const own = await file.stat();
  if (own.uid === old.uid && own.gid === old.gid) return;
  // Only root may give files away; another writer's file then becomes ours.
  await file.chown(old.uid, old.gid).catch(() => undefined);
}

/**
 * Synchronous on purpose: nothing but microseconds lie between the look and the rename, so a person's save that
 * lands while we write is noticed instead of overwritten.
 */
function swap(temporary: string, path: string, expected: FileStamp): void {
  waitForRenames(temporary);
  const now = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if ((now ? stampOf(now) : absent) !== expected) throw new ChangedMeanwhile();
  renameSync(temporary, path);
}

/**
 * A look is not stopped by a rename that is under way, and would still see the file that is about to be replaced.
 * Making a folder is, also when it must fail because the name is taken.
 */
function waitForRenames(taken: string): void {
  try {
    mkdirSync(taken);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function ignoreMissing(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  return undefined;
}
