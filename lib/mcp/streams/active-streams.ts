import type { Session } from '../../sessions/sessions.ts';
import { keepAliveMs } from '../../streams/bounded-stream.ts';
import { keepAliveLine, retryLine } from '../../streams/event-stream-text.ts';
import { isPrimed, type NumberedStream, soonMs } from './numbered-stream.ts';

/**
 * The open streams of sessions in this process, and for a while the latest stream of a client that left and may return
 * for the messages that are stored meanwhile.
 */
export interface ActiveStreams {
  /** @param listener Gets messages; absent: a stream with its own writer, which is only counted and closed here. */
  add(session: StreamOwner, stream: ActiveStream, listener?: Listener): void;
  /** The stream is closed. @param mayReturn Stores the messages until its client returns. */
  remove(sessionId: string, stream: ActiveStream, mayReturn?: LeftStream): void;
  /** Sends the message on one stream of the session; false: none has a reader. */
  send(sessionId: string, message: string): boolean;
  /** The same, but a message without a reader is not stored either. */
  sendNow(sessionId: string, message: string): boolean;
  /** Whether a stream of the session receives messages. */
  isListening(sessionId: string): boolean;
  sessionsOf(group: string): string[];
  /** The sessions with an open stream. */
  sessions(): string[];
  has(sessionId: string): boolean;
  /** Closes the stream of this id: its client reads it elsewhere. */
  closeStream(id: string): void;
  closeSession(sessionId: string): void;
  /** Closes every open stream; clients that take a `retry` open it again, possibly elsewhere, after `soonMs`. */
  sendElsewhere(): void;
  closeAll(): void;
  count(): number;
}

export type StreamOwner = Pick<Session, 'id' | 'group' | 'protocolVersion'>;

export interface ActiveStream {
  readonly id: string;
  write(bytes: Uint8Array): boolean;
  close(): void;
}

export interface Listener {
  /** False: closed. */
  send(message: string): boolean;
}

type LeftStream = Pick<NumberedStream, 'id' | 'store'>;

interface Entry {
  readonly group: string;
  readonly protocolVersion: string;
  readonly streams: Map<ActiveStream, Listener | undefined>;
  left: { readonly stream: LeftStream; readonly until: number } | undefined;
}

/** How long messages are stored for a client that left. */
const returnMs = 60_000;
const mostPerSession = 16;

/** @param now monotonic milliseconds */
export function createActiveStreams(now: () => number): ActiveStreams {
  const sessions = new Map<string, Entry>();
  /** Stream → its session. */
  const owners = new Map<string, string>();
  let keepAlive: ReturnType<typeof setInterval> | undefined;

  function all(): ActiveStream[] {
    return [...sessions.values()].flatMap(({ streams }) => [...streams.keys()]);
  }

  function sendKeepAlive(): void {
    for (const stream of all()) stream.write(keepAliveLine);
    for (const [id, entry] of sessions) {
      if (entry.left !== undefined && entry.left.until < now()) deleteLeft(entry);
      deleteIfEmpty(id, entry);
    }
  }

  function deleteLeft(entry: Entry): void {
    if (entry.left !== undefined) owners.delete(entry.left.stream.id);
    entry.left = undefined;
  }

  function deleteIfEmpty(sessionId: string, { streams, left }: Entry): void {
    if (streams.size > 0 || left !== undefined) return;
    sessions.delete(sessionId);
    if (sessions.size > 0) return;
    clearInterval(keepAlive);
    keepAlive = undefined;
  }

  function closeSession(sessionId: string): void {
    const entry = sessions.get(sessionId);
    if (entry === undefined) return;
    for (const stream of [...entry.streams.keys()]) stream.close();
    deleteLeft(entry);
    deleteIfEmpty(sessionId, entry);
  }

  function listenersOf(sessionId: string): Listener[] {
    const streams = sessions.get(sessionId)?.streams.values() ?? [];
    return [...streams].filter((listener) => listener !== undefined);
  }

  /** The newest stream first: an older one may belong to a connection that died unnoticed. */
  function sendNow(sessionId: string, message: string): boolean {
    return listenersOf(sessionId)
      .reverse()
      .some((listener) => listener.send(message));
  }

  return {
    add(session, stream, listener) {
      const entry: Entry = sessions.get(session.id) ?? {
        group: session.group,
        protocolVersion: session.protocolVersion,
        streams: new Map(),
        left: undefined,
      };
      if (listener !== undefined) deleteLeft(entry);
      entry.streams.set(stream, listener);
      owners.set(stream.id, session.id);
      sessions.set(session.id, entry);
      keepAlive ??= setInterval(sendKeepAlive, keepAliveMs);
      const [oldest] = entry.streams.keys();
      if (entry.streams.size > mostPerSession) oldest?.close();
    },
    remove(sessionId, stream, mayReturn) {
      const entry = sessions.get(sessionId);
      if (entry === undefined || !entry.streams.delete(stream)) return;
      const isListening = [...entry.streams.values()].some((listener) => listener !== undefined);
      if (mayReturn === undefined || isListening) owners.delete(stream.id);
      else entry.left = { stream: mayReturn, until: now() + returnMs };
      deleteIfEmpty(sessionId, entry);
    },
    send(sessionId, message) {
      if (sendNow(sessionId, message)) return true;
      void sessions.get(sessionId)?.left?.stream.store(message);
      return false;
    },
    sendNow,
    isListening: (sessionId) => listenersOf(sessionId).length > 0,
    sessionsOf: (group) => [...sessions].filter(([, entry]) => entry.group === group).map(([id]) => id),
    sessions: () => [...sessions].filter(([, { streams }]) => streams.size > 0).map(([id]) => id),
    has: (sessionId) => (sessions.get(sessionId)?.streams.size ?? 0) > 0,
    closeStream(id) {
      const sessionId = owners.get(id);
      const entry = sessionId === undefined ? undefined : sessions.get(sessionId);
      if (sessionId === undefined || entry === undefined) return;
      for (const stream of [...entry.streams.keys()]) if (stream.id === id) stream.close();
      if (entry.left?.stream.id === id) deleteLeft(entry);
      deleteIfEmpty(sessionId, entry);
    },
    closeSession,
    sendElsewhere() {
      for (const { streams, protocolVersion } of [...sessions.values()]) {
        for (const stream of [...streams.keys()]) {
          if (isPrimed(protocolVersion)) stream.write(retryLine(soonMs));
          stream.close();
        }
      }
    },
    closeAll() {
      for (const id of [...sessions.keys()]) closeSession(id);
    },
    count: () => all().length,
  };
}
