import { type BoundedStream, createBoundedStream } from '../http/bounded-stream.ts';
import { commentLine, keepAliveMs, messageEvent } from '../http/event-stream-text.ts';

/** The open GET streams of this process (2025-11-25 basic/transports, Listening for Messages). */
export interface EventStreams {
  /** Opens a stream for a session; it ends when the client leaves, the session ends, or it reads too slowly. */
  open(session: StreamOwner, signal: AbortSignal): ReadableStream<Uint8Array>;
  /** Sends one message to every session of the group: on one stream each, never on several (rule 26). */
  sendToGroup(group: string, message: string): void;
  closeSession(sessionId: string): void;
  closeAll(): void;
  count(): number;
}

interface StreamOwner {
  readonly id: string;
  readonly group: string;
}

export function createEventStreams(): EventStreams {
  const sessions = new Map<string, { readonly group: string; readonly streams: Set<BoundedStream> }>();
  let keepAlive: ReturnType<typeof setInterval> | undefined;

  function all(): BoundedStream[] {
    return [...sessions.values()].flatMap(({ streams }) => [...streams]);
  }

  function forget(sessionId: string, stream: BoundedStream): void {
    const entry = sessions.get(sessionId);
    entry?.streams.delete(stream);
    if (entry?.streams.size === 0) sessions.delete(sessionId);
    if (sessions.size === 0) {
      clearInterval(keepAlive);
      keepAlive = undefined;
    }
  }

  return {
    open(session, signal) {
      const stream = createBoundedStream(() => forget(session.id, stream));
      const entry = sessions.get(session.id) ?? { group: session.group, streams: new Set() };
      entry.streams.add(stream);
      sessions.set(session.id, entry);
      keepAlive ??= setInterval(() => {
        for (const open of all()) open.write(commentLine('keep-alive'));
      }, keepAliveMs);
      if (signal.aborted) stream.close();
      else signal.addEventListener('abort', stream.close, { once: true });
      // Behind the Node adapter headers leave with the first byte, and the client waits for them.
      stream.write(commentLine('open'));
      return stream.body;
    },
    sendToGroup(group, message) {
      const event = messageEvent(message);
      for (const entry of sessions.values()) {
        if (entry.group !== group) continue;
        // The newest stream first: an older one may belong to a connection that died unnoticed.
        for (const stream of [...entry.streams].reverse()) if (stream.write(event)) break;
      }
    },
    closeSession(sessionId) {
      for (const stream of sessions.get(sessionId)?.streams ?? []) stream.close();
    },
    closeAll() {
      for (const stream of all()) stream.close();
    },
    count: () => all().length,
  };
}
