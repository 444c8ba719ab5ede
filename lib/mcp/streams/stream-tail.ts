import type { Bus } from '../../events/bus.ts';
import type { EventLog, StreamReader, StreamReading } from '../../sessions/event-log/event-log.ts';
import { type BoundedStream, createBoundedStream } from '../../streams/bounded-stream.ts';
import { signOfLifeMs } from './answer-streams.ts';
import { replayBytes } from './numbered-stream.ts';

/**
 * Reads a stored stream to its end for a client that returned, while a process, perhaps another one, still writes it:
 * on each bus message about the stream, and every `pollMs`, since bus messages can get lost.
 */
export interface TailOptions {
  readonly reader: StreamReader;
  readonly afterSeq: number;
  /** The events from `afterSeq` on that were read already. */
  readonly reading: StreamReading;
  /** The first bytes: behind the Node adapter headers leave with them, and the client waits for those. */
  readonly opening: Uint8Array;
  readonly log: Pick<EventLog, 'read'>;
  readonly bus: Pick<Bus, 'subscribe' | 'publish'>;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** Runs once, when either side closes the tail, and not before `openTail` has returned. */
  readonly onClose: () => void;
}

const pollMs = 1_000;
/** A writer without a sign of life for this long is lost, and its answer with it. */
const lostAfterSeconds = (3 * signOfLifeMs) / 1000;
/** While the database is away no sign of life arrives: silence counts once the writer was watched for this long. */
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

  /** Never twice at once, or events would be sent twice; later publications are read afterwards. */
  async function readOn(): Promise<void> {
    isOutdated = true;
    if (isReading) return;
    isReading = true;
    while (isOutdated && !isClosed) {
      isOutdated = false;
      // While the database is away the tail waits, as it does for a silent writer.
      const next = await log.read(reader, seq).catch(() => 'away' as const);
      if (next === undefined) stream.close();
      else if (next !== 'away') pass(next);
    }
    isReading = false;
  }

  /** Without a gap in which a sign of life could have been missed. */
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
    const fallback = { seq: seq + 1, message: fallbackAnswer, isLast: true };
    const bytes = replayBytes(streamId, isLost ? [...events, fallback] : events, before);
    if (isLost || isEnded) stream.end(bytes);
    else if (bytes.byteLength > 0) stream.write(bytes);
  }

  pass(reading, options.opening);
  // The writer now detects its reader, and publishes further events.
  if (!isClosed) bus.publish({ type: 'stream', name: streamId });
  return stream;
}
