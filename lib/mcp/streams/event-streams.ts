import { pause } from '../../async/wait.ts';
import type { Bus } from '../../events/bus.ts';
import type { EventLog, StreamReading } from '../../sessions/event-log/event-log.ts';
import type { Session } from '../../sessions/sessions.ts';
import { commentLine } from '../../streams/event-stream-text.ts';
import { principalOf } from '../principal.ts';
import { createActiveStreams } from './active-streams.ts';
import { type Continuation, continuation } from './continuation.ts';
import { type EventPlace, isPostStream, newStreamId, readEventId } from './event-id.ts';
import { createMissedChanges } from './missed-changes.ts';
import { canReturn, createNumberedStream, prime, reopening } from './numbered-stream.ts';
import { replayBytes } from './replay.ts';
import { openTail } from './stream-tail.ts';
import { createWaitingStream } from './waiting-stream.ts';

/**
 * The streams that clients open with GET in this process (2025-11-25 basic/transports, Listening for Messages and
 * Resumability): to listen, or to come back for what a broken connection did not bring.
 */
export interface EventStreams {
  /**
   * A stream that ends when the client leaves, the session ends, or it reads too slowly. With a `lastEventId` of ours
   * it begins with what came after that; an id that is unknown, expired or another's opens a new stream.
   * Rejects with `database_unavailable` when the client waits for an answer that cannot be looked up now.
   */
  open(asked: StreamRequest): Promise<ReadableStream<Uint8Array>>;
  /** Sends one message to every session of the group: on one stream each, never on several (rule 26). */
  sendToGroup(group: string, message: string): void;
  /** Sends one message to this session, on one of its streams here. False: it has none in this process. */
  sendToSession(sessionId: string, message: string): boolean;
  /** The same, but a message that nobody reads now is not kept for who may come back. */
  sendToListener(sessionId: string, message: string): boolean;
  /** Whether messages to this session reach a stream of this process. */
  isListening(sessionId: string): boolean;
  /** Those that have a stream open in this process. */
  sessions(): readonly string[];
  /** Whether this session has a stream open in this process. */
  has(sessionId: string): boolean;
  /** Calls `listener` for each session that opens a stream here. */
  onOpen(listener: (session: Session) => void): void;
  closeSession(sessionId: string): void;
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
  readonly bus: Bus;
  readonly newId: () => string;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** The notifications of changed lists that sessions of this group get. */
  readonly listChanges: (group: string) => readonly string[];
  /** Between tries to find a stream that another process has just opened. */
  readonly lookAgainMs?: number;
}

const mostTries = 8;

export function createEventStreams(dependencies: EventStreamsDependencies): EventStreams {
  const { log, bus, newId, now, listChanges, lookAgainMs = 200 } = dependencies;
  const held = createActiveStreams(now);
  const missed = createMissedChanges({ now, notifications: listChanges });
  const listeners = new Set<(session: Session) => void>();
  bus.subscribe(({ type, name }) => {
    if (type === 'stream') held.closeStream(name);
  });

  /** @param from where an older stream goes on. */
  function listen({ session, authorization }: StreamRequest, from?: Continuation) {
    const id = from?.id ?? newStreamId('get', newId);
    const principal = principalOf(authorization, session.id);
    const stream = createNumberedStream({
      stream: { id, sessionId: session.id, principal, fallbackAnswer: '' },
      afterSeq: from?.afterSeq ?? 0,
      resumed: from?.resumed,
      log,
      onClose: () => held.remove(session.id, stream, canReturn(session, stream.seq()) ? stream : undefined),
    });
    held.add(session, stream, stream);
    return stream;
  }

  function listenAnew(asked: StreamRequest) {
    const stream = listen(asked);
    // Behind the Node adapter headers leave with the first byte, and the client waits for them.
    stream.write(commentLine('open'));
    prime(stream, asked.session.protocolVersion);
    return stream;
  }

  /** What comes while the log is read waits for what was there before. */
  async function listenOn(asked: StreamRequest, place: EventPlace) {
    const { session } = asked;
    const waiting = createWaitingStream(place.streamId);
    held.add(session, waiting, waiting);
    const reading = await read(asked, place).catch(() => undefined);
    if (reading !== undefined) bus.publish({ type: 'stream', name: place.streamId });
    const stream = reading === undefined ? listenAnew(asked) : listen(asked, continuation(place, reading));
    held.remove(session.id, waiting);
    const replayed = reading?.events ?? [];
    const opening = reopening(session.protocolVersion, place);
    if (reading !== undefined) stream.write(replayBytes(stream.id, replayed, opening));
    const told = new Set(replayed.map(({ message }) => message));
    const changes = missed.since(session.group, reading?.idleSeconds);
    for (const message of new Set([...changes, ...waiting.messages]))
      if (!told.has(message)) stream.send(message);
    if (waiting.isClosed()) stream.close();
    return stream;
  }

  /** A stream that was born with a POST: whoever works on that request still writes it. */
  async function tail(asked: StreamRequest, place: EventPlace) {
    const { session } = asked;
    const waiting = createWaitingStream(place.streamId);
    held.add(session, waiting);
    try {
      const reading = await readPatiently(asked, place);
      const stream = reading === undefined ? listenAnew(asked) : await openTailOf(asked, place, reading);
      if (waiting.isClosed()) stream.close();
      return stream;
    } finally {
      held.remove(session.id, waiting);
    }
  }

  async function openTailOf(asked: StreamRequest, place: EventPlace, reading: StreamReading) {
    const { streamId, seq: afterSeq } = place;
    const reader = { streamId, sessionId: asked.session.id, principal: await principal(asked) };
    const onClose = () => held.remove(asked.session.id, entry);
    const opening = reopening(asked.session.protocolVersion, place);
    const stream = openTail({ reader, afterSeq, reading, opening, log, bus, now, onClose });
    const entry = { ...stream, id: `tail of ${streamId}` };
    held.add(asked.session, entry);
    return stream;
  }

  async function read(asked: StreamRequest, { streamId, seq }: EventPlace) {
    return await log.read({ streamId, sessionId: asked.session.id, principal: await principal(asked) }, seq);
  }

  /** A client may be back at another process before the first one has stored that the stream is there. */
  async function readPatiently(asked: StreamRequest, place: EventPlace) {
    for (let tries = 1; tries < mostTries && !asked.signal.aborted; tries += 1) {
      const reading = await read(asked, place);
      if (reading !== undefined) return reading;
      await pause(lookAgainMs);
    }
    return await read(asked, place);
  }

  function openFor(asked: StreamRequest) {
    const place = readEventId(asked.lastEventId);
    if (place === undefined) return listenAnew(asked);
    return isPostStream(place.streamId) ? tail(asked, place) : listenOn(asked, place);
  }

  return {
    async open(asked) {
      const { session, signal } = asked;
      missed.watch(session.group);
      const stream = await openFor(asked);
      if (signal.aborted) stream.close();
      else signal.addEventListener('abort', stream.close, { once: true });
      // The session may have ended meanwhile.
      if (held.has(session.id)) for (const listener of listeners) listener(session);
      return stream.body;
    },
    sendToGroup(group, message) {
      missed.note(group, message);
      for (const sessionId of held.sessionsOf(group)) held.send(sessionId, message);
    },
    sendToSession: held.send,
    sendToListener: held.sendNow,
    isListening: held.isListening,
    sessions: held.sessions,
    has: held.has,
    onOpen: (listener) => void listeners.add(listener),
    closeSession: held.closeSession,
    closeAll: held.closeAll,
    count: held.count,
  };
}

function principal({ session, authorization }: StreamRequest): string | Promise<string> {
  return principalOf(authorization, session.id);
}
