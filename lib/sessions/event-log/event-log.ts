/**
 * The events of streams, so that a client whose connection broke gets the rest, from any process (2025-11-25
 * basic/transports, Resumability; docs/protocol.md, rule 29). Bounded per stream by its writer, per session and in age
 * by the log. Callers never wait for a write: while the database is away, streams go on and are not stored.
 */
export interface EventLog {
  /** Stores a stream that may be resumed before its first event. True when it is stored. */
  open(stream: StoredStream): Promise<boolean>;
  /** Stores one event. Never rejects: false when it is not stored, because it could not be or need not be. */
  append(event: StoredEvent): Promise<boolean>;
  /**
   * The events after `seq`, in order. Undefined: there is no such stream, it has expired, or it belongs to another
   * session or principal. Rejects with `database_unavailable`.
   */
  read(reader: StreamReader, seq: number): Promise<StreamReading | undefined>;
  /** A sign of life of the writers of these streams, which also keeps the streams from expiring. Never rejects. */
  touch(streamIds: readonly string[]): Promise<void>;
  /** Resolves when all that was opened and appended is stored, or given up. Never rejects. */
  flush(): Promise<void>;
  /** Removes expired streams. Called on a timer. */
  reap(): Promise<void>;
}

export interface StoredStream {
  /** Unguessable. */
  readonly id: string;
  readonly sessionId: string;
  readonly principal: string | Promise<string>;
  /** The answer to send when the writer is lost; '' on streams that have no answer. */
  readonly fallbackAnswer: string;
}

export interface StoredEvent {
  readonly stream: StoredStream;
  /** Rises within the stream. */
  readonly seq: number;
  /** JSON text. */
  readonly message: string;
  /** No event comes after it. */
  readonly isLast: boolean;
  /** Events before this one are dropped: the writer keeps its stream within bounds by it. */
  readonly keepFrom: number;
}

export interface StreamReader {
  readonly streamId: string;
  readonly sessionId: string;
  readonly principal: string;
}

export interface StreamReading {
  readonly events: readonly Pick<StoredEvent, 'seq' | 'message' | 'isLast'>[];
  /** The last event is stored, here or before `seq`. */
  readonly isEnded: boolean;
  readonly fallbackAnswer: string;
  /** Since the writer's latest sign of life. */
  readonly silentSeconds: number;
  /** Since the stream's latest event; undefined when it has none. */
  readonly idleSeconds: number | undefined;
}

/** Ended streams are removed first. Streams of calls under way do not count: calls have a limit of their own. */
export const mostStreamsPerSession = 16;
/** A call's stream counts like any other after so long without a sign of life: much longer than a database is away. */
export const underWayForSeconds = 300;
export const expireAfterSeconds = 3_600;
