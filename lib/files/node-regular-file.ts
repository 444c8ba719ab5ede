import { constants } from 'node:fs';
import { type FileHandle, lstat, open } from 'node:fs/promises';

/**
 * Reads files that people and other programs put into our folders. Any read is quick and
 * bounded: links are not followed (one could lead to any file of this machine; `node-linked-file.ts` has the exception),
 * pipes and devices are not waited for, a huge file is never loaded.
 */
export type FileContent =
  | {
      readonly kind: 'text';
      /** Every byte of it, a byte order mark included. */
      readonly text: string;
      /** What `replaceFile` compares with, so that only the version that was read is replaced. */
      readonly stamp: FileStamp;
      readonly modifiedAt: Date;
    }
  | { readonly kind: 'absent' }
  /** There, but unusable; `problem` is the reason in a sentence. */
  | { readonly kind: 'unusable'; readonly problem: string; readonly isLink?: true };

/** Size limit of our files. */
export const maxFileBytes = 4 * 1024 * 1024;

/** @param isWanted Judges the file that was opened, before it is read; another one counts as absent. */
export async function readRegularFile(
  path: string,
  isWanted?: (opened: FileHandle) => Promise<boolean>,
): Promise<FileContent> {
  try {
    // Opening a device can have effects, so check first; the flags cover a file that is swapped in after the check.
    const found = await lstat(path);
    if (found.isSymbolicLink()) return linkRefused;
    if (!found.isFile()) return unusable(notRegular);
    const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      if (isWanted && !(await isWanted(handle))) return { kind: 'absent' };
      return await readOpened(handle);
    } finally {
      await handle.close();
    }
  } catch (error) {
    return contentOf(error);
  }
}

/** What a refusal of the file system says about the file. */
export function contentOf(error: unknown): FileContent {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'ENOENT') return { kind: 'absent' };
  if (code === 'ELOOP') return linkRefused;
  if (code === undefined) throw error;
  return unusable(`The file cannot be read (${code}).`);
}

const notRegular = 'It is not a regular file.';
const linkRefused: FileContent = {
  kind: 'unusable',
  problem: 'It is a link; links are not followed.',
  isLink: true,
};

async function readOpened(handle: FileHandle): Promise<FileContent> {
  const stats = await handle.stat({ bigint: true });
  if (!stats.isFile()) return unusable(notRegular);
  const bytes = stats.size > maxFileBytes ? undefined : await readBounded(handle, Number(stats.size));
  if (bytes === undefined) return unusable(`The file is larger than ${maxFileBytes / 1024 / 1024} MiB.`);
  const text = decode(bytes);
  if (text === undefined) return unusable('The file is not valid UTF-8.');
  return { kind: 'text', text, stamp: stampOf(stats), modifiedAt: stats.mtime };
}

/** Bounded by bytes read, not by the size in `stat`: the file may grow meanwhile. Undefined: too many. */
async function readBounded(handle: FileHandle, likelyBytes: number): Promise<Buffer | undefined> {
  const chunkBytes = Math.min(65_536, likelyBytes + 1);
  const chunks: Buffer[] = [];
  let total = 0;
  while (total <= maxFileBytes) {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(chunkBytes), 0, chunkBytes, total);
    if (bytesRead === 0) return Buffer.concat(chunks);
    chunks.push(buffer.subarray(0, bytesRead));
    total += bytesRead;
  }
  return undefined;
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

export function unusable(problem: string): FileContent {
  return { kind: 'unusable', problem };
}

/** Identity and version of a file; differs after any change. */
export type FileStamp = string;

/** There is no such file. */
export const absent: FileStamp = 'absent';

/** The fields of `stat` with big integers that tell one version of a file from another. */
export interface VersionStats {
  readonly ino: bigint;
  readonly size: bigint;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
}

export function stampOf(stats: VersionStats): FileStamp {
  return `${stats.ino}:${stats.size}:${stats.mtimeNs}:${stats.ctimeNs}`;
}
