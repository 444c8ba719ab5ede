import { pause } from '../../async/wait.ts';
import type { Bus } from '../../events/bus.ts';
import type { EventLog, StreamReading } from '../../sessions/event-log/event-log.ts';
import type { Session } from '../../sessions/sessions.ts';
import { commentLine } from '../../streams/event-stream-text.ts';
import { type ActiveStream, createActiveStreams } from './active-streams.ts';
import { type EventPlace, isPostStream, newStreamId, readEventId } from './event-id.ts';
import { createMissedChanges } from './missed-changes.ts';
import {
  type Continuation,
  canReturn,
  continuation,
  createNumberedStream,
  prime,
  principalOf,
  reopening,
  replayBytes,
} from './numbered-stream.ts';
import { openTail } from './stream-tail.ts';

/**
 * The streams that clients open with GET in this process (2025-11-25 basic/transports, Listening for Messages and
 * Resumability): to listen, or to fetch the messages that a broken connection did not deliver.
 */
export interface EventStreams {
  /**
   * A stream that ends when the client leaves or reads too slowly, or the session ends. With a `lastEventId` of this
   * gateway, the events after that come first; an id that is unknown, expired or another client's opens a new stream.
   * Rejects with `database_unavailable` when the client waits for an answer that cannot be read now.
   */
  open(request: StreamRequest): Promise<ReadableStream<Uint8Array>>;
  /**
   * Sends one message to every session of the group: on one stream each, never on several (docs/protocol.md, rule 26).
   */
  sendToGroup(group: string, message: string): void;
  /** Sends one message to this session, on one of its streams here. False: it has none in this process. */
  sendToSession(sessionId: string, message: string): boolean;
  /** The same, but a message without a reader is not stored for a client that may return. */
  sendToListener(sessionId: string, message: string): boolean;
  /** Whether messages to this session can be sent on a stream of this process. */
  isListening(sessionId: string): boolean;
  /** The sessions with an open stream in this process. */
  sessions(): readonly string[];
  /** Whether this session has a stream open in this process. */
  has(sessionId: string): boolean;
  /** Calls `listener` for each session that opens a stream here. */
  onOpen(listener: (session: Session) => void): void;
  closeSession(sessionId: string): void;
  /** Ends the streams that are open now, for clients that find another process behind the same address. */
  sendElsewhere(): void;
  closeAll(): void;
  count(): number;
}

export interface StreamRequest {
  readonly session: Session;
  /** The `Authorization` header. */
  readonly authorization: string | null;
  /** The `Last-Event-ID` header. */
  readonly lastEventId: string | null;
  readonly signal: AbortSignal;
}

export interface EventStreamsDependencies {
  readonly log: EventLog;
  readonly bus: Pick<Bus, 'subscribe' | 'publish'>;
  readonly newId: () => string;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** The notifications of changed lists that sessions of this group get. */
  readonly listChanges: (group: string) => readonly string[];
  /** Between attempts to find a stream that another process has just opened. */
  readonly readAgainMs?: number;
}

const mostAttempts = 8;

export function createEventStreams(dependencies: EventStreamsDependencies): EventStreams {
  const { log, bus, newId, now, listChanges, readAgainMs = 200 } = dependencies;
  const active = createActiveStreams(now);
  const missed = createMissedChanges({ now, notifications: listChanges });
  const listeners = new Set<(session: Session) => void>();
  bus.subscribe(({ type, name }) => {
    if (type === 'stream') active.closeStream(name);
  });

  /** @param from The position at which an older stream continues. */
  function listen({ session, authorization }: StreamRequest, from?: Continuation) {
    const id = from?.id ?? newStreamId('get', newId);
    const principal = principalOf(authorization, session.id);
    const stream = createNumberedStream({
      stream: { id, sessionId: session.id, principal, fallbackAnswer: '' },
      afterSeq: from?.afterSeq ?? 0,
      resumed: from?.resumed,
      log,
      onClose: () => active.remove(session.id, stream, canReturn(session, stream.seq()) ? stream : undefined),
    });
    active.add(session, stream, stream);
    return stream;
  }

  function listenAnew(request: StreamRequest) {
    const stream = listen(request);
    // Behind the Node adapter headers leave with the first byte, and the client waits for them.
    stream.write(commentLine('open'));
    prime(stream, request.session.protocolVersion);
    return stream;
  }

  /** Messages that arrive while the log is read are sent after the stored ones. */
  async function resumeListening(request: StreamRequest, place: EventPlace) {
    const { session } = request;
    const waiting = createWaitingStream(place.streamId);
    active.add(session, waiting, waiting);
    const reading = await read(request, place).catch(() => undefined);
    if (reading !== undefined) bus.publish({ type: 'stream', name: place.streamId });
    const stream =
      reading === undefined ? listenAnew(request) : listen(request, continuation(place, reading));
    active.remove(session.id, waiting);
    const replayed = reading?.events ?? [];
    const opening = reopening(session.protocolVersion, place);
    if (reading !== undefined) stream.write(replayBytes(stream.id, replayed, opening));
    const known = new Set(replayed.map(({ message }) => message));
    const changes = missed.since(session.group, reading?.idleSeconds);
    for (const message of new Set([...changes, ...waiting.messages]))
      if (!known.has(message)) stream.send(message);
    if (waiting.isClosed()) stream.close();
    return stream;
  }

  /** A stream that answers a POST: the process of the request still writes it. */
  async function tail(request: StreamRequest, place: EventPlace) {
    const { session } = request;
    const waiting = createWaitingStream(place.streamId);
    active.add(session, waiting);
    try {
      const reading = await readUntilStored(request, place);
      const stream = reading === undefined ? listenAnew(request) : await openTailOf(request, place, reading);
      if (waiting.isClosed()) stream.close();
      return stream;
    } finally {
      active.remove(session.id, waiting);
    }
  }

  async function openTailOf(request: StreamRequest, place: EventPlace, reading: StreamReading) {
    const { streamId, seq: afterSeq } = place;
    const reader = { streamId, sessionId: request.session.id, principal: await principal(request) };
    const onClose = () => active.remove(request.session.id, entry);
    const opening = reopening(request.session.protocolVersion, place);
    const stream = openTail({ reader, afterSeq, reading, opening, log, bus, now, onClose });
    const entry = { ...stream, id: `tail of ${streamId}` };
    active.add(request.session, entry);
    return stream;
  }

  async function read(request: StreamRequest, { streamId, seq }: EventPlace) {
    return await log.read(
      { streamId, sessionId: request.session.id, principal: await principal(request) },
      seq,
    );
  }

  /** A client may reconnect to another process before the first one has stored the stream. */
  async function readUntilStored(request: StreamRequest, place: EventPlace) {
    for (let attempts = 1; attempts < mostAttempts && !request.signal.aborted; attempts += 1) {
      const reading = await read(request, place);
      if (reading !== undefined) return reading;
      await pause(readAgainMs);
    }
    return await read(request, place);
  }

  function openFor(request: StreamRequest) {
    const place = readEventId(request.lastEventId);
    if (place === undefined) return listenAnew(request);
    return isPostStream(place.streamId) ? tail(request, place) : resumeListening(request, place);
  }

  return {
    async open(request) {
      const { session, signal } = request;
      missed.watch(session.group);
      const stream = await openFor(request);
      if (signal.aborted) stream.close();
      else signal.addEventListener('abort', stream.close, { once: true });
      // The session may have ended meanwhile.
      if (active.has(session.id)) for (const listener of listeners) listener(session);
      return stream.body;
    },
    sendToGroup(group, message) {
      missed.record(group, message);
      for (const sessionId of active.sessionsOf(group)) active.send(sessionId, message);
    },
    sendToSession: active.send,
    sendToListener: active.sendNow,
    isListening: active.isListening,
    sessions: active.sessions,
    has: active.has,
    onOpen: (listener) => void listeners.add(listener),
    closeSession: active.closeSession,
    sendElsewhere: active.sendElsewhere,
    closeAll: active.closeAll,
    count: active.count,
  };
}

function principal({ session, authorization }: StreamRequest): string | Promise<string> {
  return principalOf(authorization, session.id);
}

/** Reserves the place of a stream that is about to be opened, and ends with the session like an open one. */
function createWaitingStream(streamId: string) {
  const messages: string[] = [];
  let isClosed = false;
  return {
    id: `before ${streamId}`,
    messages,
    isClosed: () => isClosed,
    send: (message: string) => messages.push(message) > 0,
    write: () => true,
    close() {
      isClosed = true;
    },
  } satisfies ActiveStream & Record<string, unknown>;
}
