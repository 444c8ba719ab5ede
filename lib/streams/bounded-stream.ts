import { yieldToEventLoop } from '../async/wait.ts';

/**
 * A byte stream for one reader with a bounded queue. The stream of a reader that does not keep up is closed when more
 * than `maxQueuedBytes` are queued, so that it never fills memory (SECURITY.md, Limits).
 */
export interface BoundedStream {
  readonly body: ReadableStream<Uint8Array>;
  /** False once the stream is closed, by either side. */
  write(bytes: Uint8Array): boolean;
  /** Accepts no more bytes; queued ones are still delivered. */
  close(): void;
  /**
   * Delivers these last bytes however much is queued, then closes. False when the stream was closed before. Pieces are
   * encoded one at a time, and other work runs in between.
   */
  end(last: Uint8Array | Iterator<Uint8Array>): boolean;
}

export interface BoundedStreamOptions {
  /** Runs once, whichever side closed the stream. */
  readonly onClose?: () => void;
  /** Closes the stream. */
  readonly signal?: AbortSignal;
  /** Written every `keepAliveMs` while the stream is open. */
  readonly keepAlive?: Uint8Array;
}

export const maxQueuedBytes = 1_048_576;

/** How often an idle stream says that it is alive; proxies cut silent ones after a minute or less. */
export const keepAliveMs = 15_000;

export function createBoundedStream(options: BoundedStreamOptions = {}): BoundedStream {
  const { onClose, signal, keepAlive } = options;
  const queue = createByteQueue();
  let isClosed = false;
  let wake: (() => void) | undefined;
  let rest: Iterator<Uint8Array> | undefined;
  const beating = keepAlive && setInterval(() => write(keepAlive), keepAliveMs);

  function close(): void {
    if (isClosed) return;
    isClosed = true;
    wake?.();
    clearInterval(beating);
    signal?.removeEventListener('abort', close);
    onClose?.();
  }

  /** The writer may keep the stream for long, but nobody reads what is queued. */
  function cancel(): void {
    queue.clear();
    rest = undefined;
    close();
  }

  async function nextPiece(): Promise<Uint8Array | undefined> {
    await yieldToEventLoop();
    // Meanwhile the reader may have left.
    return rest?.next().value;
  }

  async function pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    if (queue.isEmpty() && !isClosed) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
      wake = undefined;
    }
    const bytes = queue.shift() ?? (rest && (await nextPiece()));
    if (bytes === undefined) return controller.close();
    controller.enqueue(bytes);
  }

  function write(bytes: Uint8Array): boolean {
    if (isClosed) return false;
    if (queue.size() + bytes.byteLength > maxQueuedBytes && !queue.isEmpty()) {
      queue.clear();
      close();
      return false;
    }
    queue.push(bytes);
    wake?.();
    return true;
  }

  signal?.addEventListener('abort', close);
  if (signal?.aborted) close();

  return {
    body: new ReadableStream<Uint8Array>({ pull, cancel }, { highWaterMark: 0 }),
    write,
    close,
    end(last) {
      if (isClosed) return false;
      if (last instanceof Uint8Array) queue.push(last);
      else rest = last;
      close();
      return true;
    },
  };
}

/**
 * Bytes that wait for a reader, in order. Many small pieces are joined, each once: a few hundred readers that do not read
 * would otherwise leave as many thousands of objects to the garbage collector.
 */
export interface ByteQueue {
  push(bytes: Uint8Array): void;
  shift(): Uint8Array | undefined;
  clear(): void;
  isEmpty(): boolean;
  /** How many bytes are queued. */
  size(): number;
}

const mostPieces = 64;

export function createByteQueue(): ByteQueue {
  const pieces: Uint8Array[] = [];
  /** How many pieces at the end are not joined yet. */
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
