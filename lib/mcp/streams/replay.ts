import type { StreamReading } from '../../sessions/event-log/event-log.ts';
import { numberedEvent } from '../../streams/event-stream-text.ts';
import { eventId } from './event-id.ts';

/**
 * Kept events as one piece: what is kept is bounded already, and a stream takes a first piece of any size, so a client
 * that comes back always gets on.
 */
export function replayBytes(
  streamId: string,
  events: StreamReading['events'],
  before: Uint8Array = new Uint8Array(),
): Uint8Array {
  const parts = [
    before,
    ...events
      .filter(({ message }) => message !== '')
      .map(({ seq, message }) => numberedEvent(eventId({ streamId, seq }), message)),
  ];
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.byteLength, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.byteLength;
  }
  return bytes;
}
