/**
 * What was sent on event streams, so that a client whose connection broke gets the rest, from any process (2025-11-25
 * basic/transports, Resumability; mcp-spec rule 29). Bounded per stream by its writer, per session and in age by the
 * log. Writing is never on anybody's time: while the database is away, streams go on and are not kept.
 */
export interface EventLog {
  /** Begins to keep a stream that may be resumed before it carried anything. True when it is stored. */
  open(stream: StoredStream): Promise<boolean>;
  /** Keeps one event. Never rejects: false when it is not stored, because it could not be or need not be. */
  append(event: StoredEvent): Promise<boolean>;
  /**
   * The events after `seq`, in order. Undefined: there is no such stream, it has expired, or it belongs to another
   * session or principal. Rejects with `database_unavailable`.
   */
  read(reader: StreamReader, seq: number): Promise<StreamReading | undefined>;
  /** Says that the writers of these streams live, which also keeps them from expiring. Never rejects. */
  touch(streamIds: readonly string[]): Promise<void>;
  /** Resolves when what was given to it is stored, or given up. Never rejects. */
  flush(): Promise<void>;
  /** Removes what has expired. Called on a timer by the service. */
  reap(): Promise<void>;
}

export interface StoredStream {
  /** Unguessable and without a meaning to anybody else. */
  readonly id: string;
  readonly sessionId: string;
  readonly principal: string | Promise<string>;
  /** The answer to send for a process that is lost; '' on streams that owe none. */
  readonly fallbackAnswer: string;
}

export interface StoredEvent {
  readonly stream: StoredStream;
  /** Rises within the stream. */
  readonly seq: number;
  /** JSON text. */
  readonly message: string;
  /** Nothing comes after it. */
  readonly isLast: boolean;
  /** Events before this one are dropped: how the writer keeps its stream within bounds. */
  readonly keepFrom: number;
}

export interface StreamReader {
  readonly streamId: string;
  readonly sessionId: string;
  readonly principal: string;
}

export interface StreamReading {
  readonly events: readonly Pick<StoredEvent, 'seq' | 'message' | 'isLast'>[];
  /** The last event is kept, here or before `seq`. */
  readonly isEnded: boolean;
  readonly fallbackAnswer: string;
  /** Since the writer was last known to live. */
  readonly silentSeconds: number;
  /** Since the stream's latest event; undefined when it has none. */
  readonly idleSeconds: number | undefined;
}

/** Those that have ended make room first. Streams of calls under way are not among them: calls have a limit of their own. */
export const mostStreamsPerSession = 16;
/** A call's stream whose writer was not heard of for so long counts like any other: much longer than a database is away. */
export const underWayForSeconds = 300;
export const expireAfterSeconds = 3_600;
