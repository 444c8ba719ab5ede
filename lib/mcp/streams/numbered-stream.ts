import { firstVersionWithPriming } from '../../json-rpc/protocol-versions.ts';
import type { EventLog, StoredStream } from '../../sessions/event-log/event-log.ts';
import type { Session } from '../../sessions/sessions.ts';
import {
  type BoundedStream,
  type BoundedStreamOptions,
  createBoundedStream,
} from '../../streams/bounded-stream.ts';
import { commentLine, lastEvent, numberedEvent, primingEvent } from '../../streams/event-stream-text.ts';
import { type EventPlace, eventId } from './event-id.ts';

/**
 * An event stream whose messages have ids and are kept, so that a client can come back for what it missed. Sending and
 * keeping go side by side: an event that was seen may not be kept, and the other way round.
 */
export interface NumberedStream extends Pick<BoundedStream, 'body' | 'write' | 'close'> {
  readonly id: string;
  /** The number of the latest event; 0 when there was none. */
  seq(): number;
  /** Sends and keeps. False, and not kept, when nobody reads this stream any more. */
  send(message: string): boolean;
  /** Only keeps, for a reader who may come back; resolves when that is done, or given up. */
  keep(message: string, isLast?: boolean): Promise<boolean>;
  /** Sends and keeps the last message, and closes. False, and not kept, when nobody reads this stream any more. */
  end(message: string): boolean;
}

export interface NumberedStreamOptions extends Pick<BoundedStreamOptions, 'onClose' | 'keepAlive'> {
  readonly stream: StoredStream;
  /** The next event comes after this one. */
  readonly afterSeq: number;
  /** A stream that goes on: what the client has seen up to, and what is kept beyond that. */
  readonly resumed?: { readonly seenSeq: number; readonly kept: readonly KeptSize[] } | undefined;
  readonly log: Pick<EventLog, 'append'>;
}

interface KeptSize {
  readonly seq: number;
  readonly characters: number;
}

/** What is kept of a stream; the latest event always is. */
const mostKeptEvents = 256;
const mostKeptCharacters = 1_048_576;

/**
 * How soon a client whose connection ended comes back. The official clients try twice, this long apart, and then never
 * again, so that twice this time is what a restart of ours may take (docs/decisions/0014).
 */
export const retryMs = 5_000;

export function createNumberedStream(options: NumberedStreamOptions): NumberedStream {
  const { stream, log } = options;
  const bounded = createBoundedStream(options);
  const window = createWindow(options.resumed);
  let seq = options.afterSeq;

  function keep(message: string, isLast = false, at = ++seq): Promise<boolean> {
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
      void keep(message, false, seq);
      return true;
    },
    keep,
    end(message) {
      if (!bounded.end(lastEvent(message, nextId()))) return false;
      void keep(message, true, seq);
      return true;
    },
  };
}

/** Gives the stream an id to be resumed from before it carries anything; clients of older revisions choke on it. */
export function prime(stream: Pick<NumberedStream, 'id' | 'write'>, protocolVersion: string): void {
  if (!isPrimed(protocolVersion)) return;
  stream.write(primingEvent(eventId({ streamId: stream.id, seq: 0 }), retryMs));
}

/**
 * What a stream opens with that goes on after `place`: behind the Node adapter headers leave with the first byte. The
 * place is told again, since the official client forgets it when a stream ends on which it saw none.
 */
export function reopening(protocolVersion: string, place: EventPlace): Uint8Array {
  return isPrimed(protocolVersion) ? primingEvent(eventId(place), retryMs) : commentLine('open');
}

export function isPrimed(protocolVersion: string): boolean {
  return protocolVersion >= firstVersionWithPriming;
}

/** Only a client that was given an id can come back for more. @param seq of the latest event. */
export function canReturn({ protocolVersion }: Pick<Session, 'protocolVersion'>, seq: number): boolean {
  return seq > 0 || isPrimed(protocolVersion);
}

/** The latest events that fit the bounds, by their size. */
function createWindow({ seenSeq = 0, kept = [] }: Partial<NumberedStreamOptions['resumed']> = {}) {
  const sizes = [...kept];
  let total = sizes.reduce((sum, { characters }) => sum + characters, 0);
  let dropBefore = seenSeq;

  return {
    /** Returns the first event that is still to be kept; 0 when none is to be dropped that was not before. */
    add(seq: number, characters: number): number {
      sizes.push({ seq, characters });
      total += characters;
      while (sizes.length > mostKeptEvents || (total > mostKeptCharacters && sizes.length > 1)) {
        total -= sizes.shift()?.characters ?? 0;
        dropBefore = sizes[0]?.seq ?? 0;
      }
      const keepFrom = dropBefore;
      dropBefore = 0;
      return keepFrom;
    },
  };
}
