import type { Bus } from '../../events/bus.ts';
import type { EventLog, StreamReader, StreamReading } from '../../sessions/event-log/event-log.ts';
import { type BoundedStream, createBoundedStream } from '../../streams/bounded-stream.ts';
import { signOfLifeMs } from './answer-streams.ts';
import { replayBytes } from './replay.ts';

/**
 * Reads a kept stream to its end for a client that came back, while a process, perhaps another one, still writes it:
 * on news that there is more, and now and then by itself, since news can get lost.
 */
export interface TailOptions {
  readonly reader: StreamReader;
  readonly afterSeq: number;
  /** What was read already, from `afterSeq` on. */
  readonly reading: StreamReading;
  /** The first bytes: behind the Node adapter headers leave with them, and the client waits for those. */
  readonly opening: Uint8Array;
  readonly log: Pick<EventLog, 'read'>;
  readonly bus: Bus;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** Runs once, whoever closed it, and not before the tail is there. */
  readonly onClose: () => void;
}

const pollMs = 1_000;
/** A writer that was not heard of for so long is lost, and its answer with it. */
const lostAfterSeconds = (3 * signOfLifeMs) / 1000;
/** But a writer cannot be heard while the database is away: the silence counts once it was watched for a sign of life. */
const watchedMs = signOfLifeMs + pollMs;

export function openTail(options: TailOptions): BoundedStream {
  const { reader, afterSeq, reading, log, bus, now, onClose } = options;
  const { streamId } = reader;
  let seq = afterSeq;
  let isReading = false;
  let isOutdated = false;
  let isClosed = false;
  let watchedSince = now();
  let readAt = watchedSince;

  const unsubscribe = bus.subscribe(({ type, name }) => {
    if (type === 'stream' && name === streamId) void readOn();
  });
  const polling = setInterval(() => void readOn(), pollMs);
  const stream = createBoundedStream({
    onClose() {
      isClosed = true;
      unsubscribe();
      clearInterval(polling);
      queueMicrotask(onClose);
    },
  });

  /** What comes while it reads is read again; never twice at once, or events would be sent twice. */
  async function readOn(): Promise<void> {
    isOutdated = true;
    if (isReading) return;
    isReading = true;
    while (isOutdated && !isClosed) {
      isOutdated = false;
      // A database that is away is waited for, like a writer that has nothing to say.
      const next = await log.read(reader, seq).catch(() => 'away' as const);
      if (next === undefined) stream.close();
      else if (next !== 'away') pass(next);
    }
    isReading = false;
  }

  /** Until now, without a gap in which a sign of life could have been missed. */
  function isWatchedLong(): boolean {
    if (now() - readAt > signOfLifeMs) watchedSince = now();
    readAt = now();
    return readAt - watchedSince > watchedMs;
  }

  function pass(
    { events, isEnded, fallbackAnswer, silentSeconds }: StreamReading,
    before?: Uint8Array,
  ): void {
    const isLost = isWatchedLong() && silentSeconds > lostAfterSeconds && !isEnded;
    seq = events.at(-1)?.seq ?? seq;
    const words = { seq: seq + 1, message: fallbackAnswer, isLast: true };
    const bytes = replayBytes(streamId, isLost ? [...events, words] : events, before);
    if (isLost || isEnded) stream.end(bytes);
    else if (bytes.byteLength > 0) stream.write(bytes);
  }

  pass(reading, options.opening);
  // Whoever writes it learns that its reader is here now, and says when there is more.
  if (!isClosed) bus.publish({ type: 'stream', name: streamId });
  return stream;
}
