import type { AnswerHead } from './node-answer-readers.ts';
import { noAnswer } from './node-http-problems.ts';

/** Finds the end of an answer's body (RFC 9112 section 6.3) and decodes chunks. */
export interface BodyDecoder {
  /** @returns whether the body is complete. @throws Error with code `ERR_HTTP_ANSWER`. */
  feed(bytes: Buffer): boolean;
  /** Whether the body lasts until the connection ends. */
  endsWithConnection(): boolean;
  /** Whether unexpected bytes followed the complete body. */
  hasMore(): boolean;
}

export function createBodyDecoder(
  { status, headers }: AnswerHead,
  onData: (bytes: Buffer) => void,
): BodyDecoder {
  const length = headers.get('content-length');
  const coding = headers.get('transfer-encoding');
  if (status === 204 || status === 304) return lengthDecoder(0, onData);
  // Answers are smuggled by two lengths, or by a coding that is not understood.
  if (coding !== undefined && length !== undefined) throw noAnswer('it states its length twice');
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') throw noAnswer('its coding is unknown');
  if (coding !== undefined) return chunkDecoder(onData);
  if (length === undefined) return untilClosed(onData);
  if (!/^\d{1,15}$/.test(length)) throw noAnswer('its length is no number');
  return lengthDecoder(Number(length), onData);
}

function lengthDecoder(length: number, onData: (bytes: Buffer) => void): BodyDecoder {
  let left = length;
  let hasMore = false;
  return {
    feed(bytes) {
      hasMore = bytes.length > left;
      const mine = hasMore ? bytes.subarray(0, left) : bytes;
      left -= mine.length;
      if (mine.length > 0) onData(mine);
      return left === 0;
    },
    endsWithConnection: () => false,
    hasMore: () => hasMore,
  };
}

function untilClosed(onData: (bytes: Buffer) => void): BodyDecoder {
  return {
    feed(bytes) {
      if (bytes.length > 0) onData(bytes);
      return false;
    },
    endsWithConnection: () => true,
    hasMore: () => false,
  };
}

/** Longest line of a size or a trailer. */
const mostLineBytes = 4096;
const mostTrailerLines = 100;

function chunkDecoder(onData: (bytes: Buffer) => void): BodyDecoder {
  /** `size` and `trailer` await a line, `data` awaits `left` bytes, `gap` the line end after them. */
  let state: 'size' | 'data' | 'gap' | 'trailer' | 'done' = 'size';
  let left = 0;
  let line = '';
  let trailers = 0;
  let hasMore = false;

  /** @returns where the next line begins, or -1 when this one is not complete. */
  function readLine(bytes: Buffer, from: number): number {
    const end = bytes.indexOf(0x0a, from);
    line += bytes.toString('latin1', from, end < 0 ? bytes.length : end);
    if (line.length > mostLineBytes) throw noAnswer('a line of its body is too long');
    if (end < 0) return -1;
    if (!line.endsWith('\r')) throw noAnswer('a line of its body is malformed');
    onLine(line.slice(0, -1));
    line = '';
    return end + 1;
  }

  function onLine(text: string): void {
    if (state === 'size') {
      const [, size] = /^([\da-f]{1,12})[ \t]*(?:;.*)?$/i.exec(text) ?? [];
      if (size === undefined) throw noAnswer('the size of a chunk is no number');
      left = Number.parseInt(size, 16);
      state = left === 0 ? 'trailer' : 'data';
    } else if (state === 'gap') {
      if (text !== '') throw noAnswer('a chunk is longer than its size');
      state = 'size';
    } else if (text === '') {
      state = 'done';
    } else {
      trailers += 1;
      if (trailers > mostTrailerLines) throw noAnswer('it has too many trailers');
    }
  }

  function readData(bytes: Buffer, from: number): number {
    const mine = bytes.subarray(from, from + left);
    left -= mine.length;
    if (left === 0) state = 'gap';
    onData(mine);
    return from + mine.length;
  }

  return {
    feed(bytes) {
      let at = 0;
      while (at >= 0 && at < bytes.length && state !== 'done') {
        at = state === 'data' ? readData(bytes, at) : readLine(bytes, at);
      }
      hasMore = state === 'done' && at < bytes.length;
      return state === 'done';
    },
    endsWithConnection: () => false,
    hasMore: () => hasMore,
  };
}
