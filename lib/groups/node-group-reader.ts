import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, lstat, open } from 'node:fs/promises';
import { join } from 'node:path';
import { type FileStamp, stampOf } from './node-durable-write.ts';
import { maxGroupFileBytes, type ParsedGroup, parseGroup } from './parse-group.ts';

/**
 * Reads one group file as it is now. Whatever is found there, reading ends soon and within bounds: links are not
 * followed, a FIFO or a device is never waited for, a huge file is never loaded.
 */
export interface FoundGroup {
  readonly parsed: ParsedGroup;
  /** What `replaceFile` compares with, so that only the version that was read here is replaced. */
  readonly stamp: FileStamp;
}

export function groupPath(directory: string, name: string): string {
  return join(directory, `${name}.json`);
}

export function etagOf(bytes: string | Uint8Array): string {
  return `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`;
}

/** Undefined: there is no such file. */
export async function readGroupFile(directory: string, name: string): Promise<FoundGroup | undefined> {
  const path = groupPath(directory, name);
  try {
    // Opening a device can have effects, so look first; the flags cover what is swapped in after the look.
    if (!(await lstat(path)).isFile()) return unusable(notRegular);
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      return await readOpened(name, file);
    } finally {
      await file.close();
    }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT') return undefined;
    if (code === 'ELOOP') return unusable(notRegular);
    if (code === undefined) throw error;
    return unusable(`The file cannot be read (${code}).`);
  }
}

const notRegular = 'It is not a regular file; links are not followed.';

function unusable(problem: string): FoundGroup {
  return { parsed: { problem }, stamp: 'unusable' };
}

async function readOpened(name: string, file: FileHandle): Promise<FoundGroup> {
  const stats = await file.stat({ bigint: true });
  const stamp = stampOf(stats);
  if (!stats.isFile()) return unusable(notRegular);
  if (stats.size > maxGroupFileBytes) return unusable('The file is larger than 4 MiB.');
  const bytes = await readUpTo(file, Number(stats.size));
  return { parsed: parseBytes(name, bytes, stats.mtime), stamp };
}

/** A file that grows meanwhile is cut off; the change is noticed and it is read again. */
async function readUpTo(file: FileHandle, size: number): Promise<Uint8Array> {
  const buffer = new Uint8Array(size);
  let filled = 0;
  while (filled < size) {
    const { bytesRead } = await file.read(buffer, filled, size - filled, filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

function parseBytes(name: string, bytes: Uint8Array, modifiedAt: Date): ParsedGroup {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return parseGroup(name, { text, etag: etagOf(bytes), modifiedAt });
  } catch {
    return { problem: 'The file is not valid UTF-8.' };
  }
}
