import { firstVersionWithPriming } from '../../json-rpc/protocol-versions.ts';
import type { EventLog, StoredStream, StreamReading } from '../../sessions/event-log/event-log.ts';
import type { Session } from '../../sessions/sessions.ts';
import {
  type BoundedStream,
  type BoundedStreamOptions,
  createBoundedStream,
} from '../../streams/bounded-stream.ts';
import { commentLine, lastEvent, numberedEvent, primingEvent } from '../../streams/event-stream-text.ts';
import { sha256 } from '../../text/sha256.ts';
import { type EventPlace, eventId } from './event-id.ts';

/**
 * An event stream whose messages have ids and are stored, so that a client can fetch those that it missed. Sending and
 * storing run concurrently: an event that the client read may not be stored, and the other way round.
 */
export interface NumberedStream extends Pick<BoundedStream, 'body' | 'write' | 'close'> {
  readonly id: string;
  /** The number of the latest event; 0 when there was none. */
  seq(): number;
  /** Sends and stores. False, and not stored, when this stream has no reader any more. */
  send(message: string): boolean;
  /** Stores for a reader that may return; resolves when the event is stored, or storing was given up. */
  store(message: string, isLast?: boolean): Promise<boolean>;
  /** Sends and stores the last message, and closes. False, and not stored, when this stream has no reader any more. */
  end(message: string): boolean;
}

export interface NumberedStreamOptions extends Pick<BoundedStreamOptions, 'onClose' | 'keepAlive'> {
  readonly stream: StoredStream;
  /** The next event comes after this one. */
  readonly afterSeq: number;
  /** A continued stream: the last event that the client has read, and the stored ones after it. */
  readonly resumed?: { readonly seenSeq: number; readonly stored: readonly StoredSize[] } | undefined;
  readonly log: Pick<EventLog, 'append'>;
}

interface StoredSize {
  readonly seq: number;
  readonly characters: number;
}

/** Bounds of the stored events of one stream; the latest event always stays. */
const mostStoredEvents = 256;
const mostStoredCharacters = 1_048_576;
/** Added to the number of a continued stream: above all numbers that the earlier process may still write. */
const takeOverGap = 1_000;

/**
 * How soon a client whose connection ended reconnects. The official clients try twice, this long apart, and then never
 * again, so that twice this time is the longest harmless restart of ours (docs/decisions/0014).
 */
export const retryMs = 5_000;
/** How soon a client returns whose connection we end on purpose: unlike with `retryMs`, no process has to start meanwhile. */
export const soonMs = 1_000;

export function createNumberedStream(options: NumberedStreamOptions): NumberedStream {
  const { stream, log } = options;
  const bounded = createBoundedStream(options);
  const window = createWindow(options.resumed);
  let seq = options.afterSeq;

  function store(message: string, isLast = false, at = ++seq): Promise<boolean> {
    return log.append({ stream, seq: at, message, isLast, keepFrom: window.add(at, message.length) });
  }

  function nextId(): string {
    seq += 1;
    return eventId({ streamId: stream.id, seq });
  }

  return {
    id: stream.id,
    seq: () => seq,
    body: bounded.body,
    write: bounded.write,
    close: bounded.close,
    send(message) {
      if (!bounded.write(numberedEvent(nextId(), message))) return false;
      void store(message, false, seq);
      return true;
    },
    store,
    end(message) {
      if (!bounded.end(lastEvent(message, nextId()))) return false;
      void store(message, true, seq);
      return true;
    },
  };
}

/** Sends an id to resume from before the first message; clients of older revisions fail on it. */
export function prime(stream: Pick<NumberedStream, 'id' | 'write'>, protocolVersion: string): void {
  if (!isPrimed(protocolVersion)) return;
  stream.write(primingEvent(eventId({ streamId: stream.id, seq: 0 }), retryMs));
}

/**
 * The first bytes of a stream that continues after `place`: behind the Node adapter headers leave with the first byte.
 * The place is sent again, since the official client forgets it when a stream ends without an id.
 */
export function reopening(protocolVersion: string, place: EventPlace): Uint8Array {
  return isPrimed(protocolVersion) ? primingEvent(eventId(place), retryMs) : commentLine('open');
}

export function isPrimed(protocolVersion: string): boolean {
  return protocolVersion >= firstVersionWithPriming;
}

/** Only a client with an id can return for more. @param seq of the latest event. */
export function canReturn({ protocolVersion }: Pick<Session, 'protocolVersion'>, seq: number): boolean {
  return seq > 0 || isPrimed(protocolVersion);
}

/** How a stream continues that another process may have written so far. */
export type Continuation = { readonly id: string } & Pick<NumberedStreamOptions, 'afterSeq' | 'resumed'>;

/** @param reading The stored events of the stream after `place`. */
export function continuation({ streamId, seq }: EventPlace, { events }: StreamReading): Continuation {
  const stored = events.map((event) => ({ seq: event.seq, characters: event.message.length }));
  const latest = Math.max(seq, events.at(-1)?.seq ?? 0);
  return { id: streamId, afterSeq: latest + takeOverGap, resumed: { seenSeq: seq, stored } };
}

/**
 * Stored events as one piece: stored events are bounded already, and a stream accepts a first piece of any size, so a
 * client that returns always makes progress.
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

/**
 * A digest of the credential of the request that opened a stream, salted with the session, or '' without a credential.
 * A session's id alone does not suffice to read another client's messages (2025-11-25 security best practices, Session
 * Hijacking).
 */
export function principalOf(authorization: string | null, sessionId: string): string | Promise<string> {
  return authorization === null || authorization === '' ? '' : sha256(`${sessionId} ${authorization}`);
}

/** The latest events that fit the bounds, by their size. */
function createWindow({ seenSeq = 0, stored = [] }: Partial<NumberedStreamOptions['resumed']> = {}) {
  const sizes = [...stored];
  let total = sizes.reduce((sum, { characters }) => sum + characters, 0);
  let dropBefore = seenSeq;

  return {
    /** Returns the first event that stays stored; 0 when the bounds drop no more than before. */
    add(seq: number, characters: number): number {
      sizes.push({ seq, characters });
      total += characters;
      while (sizes.length > mostStoredEvents || (total > mostStoredCharacters && sizes.length > 1)) {
        total -= sizes.shift()?.characters ?? 0;
        dropBefore = sizes[0]?.seq ?? 0;
      }
      const keepFrom = dropBefore;
      dropBefore = 0;
      return keepFrom;
    },
  };
}
