import type { StreamReading } from '../../sessions/event-log/event-log.ts';
import type { EventPlace } from './event-id.ts';
import type { NumberedStreamOptions } from './numbered-stream.ts';

/** How a stream goes on that another process may have written so far. */
export type Continuation = { readonly id: string } & Pick<NumberedStreamOptions, 'afterSeq' | 'resumed'>;

/** Above whatever the process that wrote the stream before may still write. */
const takeOverGap = 1_000;

/** @param reading What is kept of the stream after `place`. */
export function continuation({ streamId, seq }: EventPlace, { events }: StreamReading): Continuation {
  const kept = events.map((event) => ({ seq: event.seq, characters: event.message.length }));
  const latest = Math.max(seq, events.at(-1)?.seq ?? 0);
  return { id: streamId, afterSeq: latest + takeOverGap, resumed: { seenSeq: seq, kept } };
}
