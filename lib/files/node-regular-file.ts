import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

/**
 * Reads files that people and other programs put into our folders. Whatever lies there, a read ends quickly and
 * bounded: links are not followed (one could lead to any file of this machine), pipes are not waited for.
 */
export type FileContent =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'absent' }
  /** There, but not to be used; `problem` says why in a sentence. */
  | { readonly kind: 'unusable'; readonly problem: string };

export async function readRegularFile(path: string, maxBytes: number): Promise<FileContent> {
  let handle: FileHandle;
  try {
    // O_NONBLOCK: opening a pipe without a writer would otherwise wait for one.
    handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    return fromOpenError((error as NodeJS.ErrnoException).code);
  }
  try {
    if (!(await handle.stat()).isFile()) return unusable('It is not a regular file.');
    return toText(await readAtMost(handle, maxBytes + 1), maxBytes);
  } catch {
    return unusable('It cannot be read.');
  } finally {
    await handle.close();
  }
}

function fromOpenError(code: string | undefined): FileContent {
  if (code === 'ENOENT') return { kind: 'absent' };
  const isSpecial = code === 'ELOOP' || code === 'ENXIO' || code === 'EISDIR';
  return unusable(isSpecial ? 'It is not a regular file; links are not followed.' : 'It cannot be read.');
}

/** By bytes read, not by the size in `stat`: the file may grow meanwhile, and devices have no size. */
async function readAtMost(handle: FileHandle, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let total = 0;
  while (total < maxBytes) {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(Math.min(65_536, maxBytes - total)));
    if (bytesRead === 0) break;
    chunks.push(buffer.subarray(0, bytesRead));
    total += bytesRead;
  }
  return Buffer.concat(chunks);
}

function toText(bytes: Buffer, maxBytes: number): FileContent {
  if (bytes.length > maxBytes) return unusable(`It is larger than ${maxBytes} bytes.`);
  try {
    return { kind: 'text', text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    return unusable('It is not valid UTF-8.');
  }
}

function unusable(problem: string): FileContent {
  return { kind: 'unusable', problem };
}
