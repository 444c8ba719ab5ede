import { lstatSync, mkdirSync, renameSync, rmdirSync, unlinkSync } from 'node:fs';
import { type FileHandle, lstat, open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Failure } from '../failure.ts';
import { temporaryPathFor } from './node-leftovers.ts';
import { absent, type FileStamp, stampOf } from './node-regular-file.ts';

/**
 * Replaces small files so that readers and crashes see the old or the new content, whole: temporary file, fsync,
 * rename, fsync of the folder. Own code for two things that write-file-atomic does not do: on a disk that fills
 * up during the write it installs the truncated file and reports success, and it cannot detect that another writer
 * changed the file in the meantime. Errors of the disk are thrown unchanged.
 */

/** The file was changed since its stamp was read, or our temporary file was removed. Nothing was written. */
export class ChangedMeanwhile extends Error {}

/**
 * Resolves with the new file's modification time once it would survive a power cut. The owner of a replaced file
 * is kept where permitted.
 * @param expected The version to replace; absent: any version.
 * @param mode Of the new file; absent: that of the replaced one, or 0644.
 * @param lastCheck Runs once the temporary file is there; when it rejects nothing is replaced.
 * @throws ChangedMeanwhile when the file is no longer the one that `expected` stands for, or the temporary file, which
 *   another writer may remove to stop this one (`lib/groups/files/group-lock.ts`), is gone.
 */
export async function replaceFile(
  path: string,
  text: string,
  expected?: FileStamp,
  mode?: number,
  lastCheck?: () => Promise<void>,
): Promise<Date> {
  const temporary = temporaryPathFor(path);
  try {
    const modifiedAt = await writeTemporary(temporary, text, path, mode);
    await lastCheck?.();
    swap(temporary, path, expected);
    await syncFolder(dirname(path));
    return modifiedAt;
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Durably; succeeds when there is no such file. */
export async function removeFile(path: string): Promise<void> {
  await rm(path, { force: true });
  await syncFolder(dirname(path));
}

/**
 * Durably, if the file is still the version that `expected` stands for; false when it is another version, and stays.
 * Synchronous between the check and the removal, as `swap` is.
 */
export async function removeUnchanged(path: string, expected: FileStamp): Promise<boolean> {
  const now = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (now === undefined || stampOf(now) !== expected) return false;
  unlinkSync(path);
  await syncFolder(dirname(path));
  return true;
}

async function writeTemporary(
  temporary: string,
  text: string,
  replaced: string,
  mode: number | undefined,
): Promise<Date> {
  const file = await open(temporary, 'wx', mode ?? 0o644);
  try {
    await keepOwnership(file, replaced, mode);
    await file.writeFile(text);
    await file.sync();
    return (await file.stat()).mtime;
  } finally {
    await file.close();
  }
}

async function keepOwnership(file: FileHandle, replaced: string, mode: number | undefined): Promise<void> {
  const old = await lstat(replaced).catch(ignoreMissing);
  // `open` subtracts the umask.
  const wanted = mode ?? (old && old.mode & 0o7777);
  if (wanted !== undefined) await file.chmod(wanted);
  if (!old) return;
  const own = await file.stat();
  if (own.uid === old.uid && own.gid === old.gid) return;
  // Only root may change a file's owner; for other users the file becomes ours.
  await file.chown(old.uid, old.gid).catch(() => undefined);
}

/**
 * Synchronous on purpose: only microseconds lie between the check and the rename, so a person's save during our write
 * is detected instead of overwritten.
 */
function swap(temporary: string, path: string, expected: FileStamp | undefined): void {
  if (expected === undefined) {
    // What a link leads to is kept by somebody else.
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) throw new ChangedMeanwhile();
    renameSync(temporary, path);
    return;
  }
  waitForRenames(temporary);
  const now = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if ((now ? stampOf(now) : absent) !== expected) throw new ChangedMeanwhile();
  try {
    renameSync(temporary, path);
  } catch (error) {
    ignoreMissing(error);
    throw new ChangedMeanwhile();
  }
}

/**
 * `lstat` does not wait for a rename that is under way, and would still see the file that is about to be replaced.
 * `mkdir` waits, also when it must fail because the name is taken.
 */
function waitForRenames(taken: string): void {
  try {
    mkdirSync(taken);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return;
    throw error;
  }
  rmdirSync(taken);
  throw new ChangedMeanwhile();
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Whether the file system may not be written at all, by anybody: a volume that is mounted so. */
export function isReadOnlyVolume(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'EROFS';
}

function ignoreMissing(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  return undefined;
}

/**
 * A refusal of the file system as a Failure `storage_failed`, 507 for a full disk.
 * @param subject The thing that could not be written, as the start of a sentence. Never a path.
 */
export function storageFailed(subject: string, cause: unknown): Failure {
  const code = (cause as { code?: string }).code ?? '';
  const isFull = code === 'ENOSPC' || code === 'EDQUOT';
  const reason = isFull ? 'the disk is full' : `the disk refused it (${code || 'unknown'})`;
  return new Failure('storage_failed', `${subject} could not be written: ${reason}.`, {
    status: isFull ? 507 : 500,
    cause,
  });
}

/** Runs work that writes files; its errors become `storageFailed`. */
export async function writing<Result>(subject: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw storageFailed(subject, error);
  }
}
