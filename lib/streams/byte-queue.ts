/**
 * Bytes that wait for a reader, in order. Many small pieces that pile up are joined, each once: a few hundred readers who
 * do not read would otherwise leave as many thousands of objects for the garbage collector to look at.
 */
export interface ByteQueue {
  push(bytes: Uint8Array): void;
  shift(): Uint8Array | undefined;
  clear(): void;
  isEmpty(): boolean;
  /** How many bytes wait. */
  size(): number;
}

const mostPieces = 64;

export function createByteQueue(): ByteQueue {
  const pieces: Uint8Array[] = [];
  /** How many at the end were not joined yet. */
  let loose = 0;
  let size = 0;

  return {
    push(bytes) {
      pieces.push(bytes);
      size += bytes.byteLength;
      loose += 1;
      if (loose < mostPieces) return;
      pieces.push(join(pieces.splice(-mostPieces)));
      loose = 0;
    },
    shift() {
      const bytes = pieces.shift();
      size -= bytes?.byteLength ?? 0;
      loose = Math.min(loose, pieces.length);
      return bytes;
    },
    clear() {
      pieces.length = 0;
      loose = 0;
      size = 0;
    },
    isEmpty: () => pieces.length === 0,
    size: () => size,
  };
}

function join(pieces: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(pieces.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let at = 0;
  for (const piece of pieces) {
    joined.set(piece, at);
    at += piece.byteLength;
  }
  return joined;
}
