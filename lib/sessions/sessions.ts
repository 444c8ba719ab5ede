import type { LogLevel } from '../json-rpc/log-level.ts';

/**
 * MCP sessions. The source of truth is a row in the database; each process caches the rows that it met, so a request on a
 * known session reads nothing. Any process can serve any session, also after a restart.
 */
export interface Session {
  /** At least 128 random bits, visible ASCII (2025-11-25 basic/transports, Session Management). */
  readonly id: string;
  /** The group whose endpoint created it; on any other endpoint the id is unknown. */
  readonly group: string;
  /** Negotiated at initialize. */
  readonly protocolVersion: string;
  /** What the client declared at initialize, as it was sent. */
  readonly clientCapabilities: Readonly<Record<string, unknown>>;
  readonly clientInfo: Readonly<Record<string, unknown>>;
  /** Set with `logging/setLevel`; absent: never set. */
  readonly logLevel?: LogLevel;
}

export type NewSession = Omit<Session, 'id' | 'logLevel'>;

export interface Sessions {
  /**
   * Writes the row before it resolves. Rejects with `database_unavailable`, and with `too_many_requests` when there is no
   * room for another session.
   */
  create(session: NewSession): Promise<Session>;
  /**
   * The session, or undefined when it is unknown, expired or ended. Counts as a use: the row's last use is written at most
   * once a minute (or a quarter of the life time), and the caller does not wait for that. Synchronous when this process
   * knows the session; may reject with `database_unavailable` otherwise.
   */
  find(id: string): Session | undefined | Promise<Session | undefined>;
  /** The same without counting as a use. */
  read(id: string): Promise<Session | undefined>;
  /** The session as this process knows it, if it does. Does not count as a use. */
  peek(id: string): Session | undefined;
  /** Applies in every process within a second (bus message `session_changed`). Rejects with `database_unavailable`. */
  setLogLevel(id: string, level: LogLevel): Promise<void>;
  /** Ends it in every process within a second (bus message `session_closed`). False when there was none. */
  end(id: string): Promise<boolean>;
  /** Counts as a use of each, like `find`: for clients that listen or wait for an answer. */
  use(ids: Iterable<string>): void;
  /** The ids without a session, expired ones only after they were reaped. Rejects with `database_unavailable`. */
  gone(ids: readonly string[]): Promise<readonly string[]>;
  /** Deletes sessions that expired, or were not used in time, and publishes their end. Called on a timer. */
  reap(): Promise<void>;
  /** How many sessions this process has cached. */
  size(): number;
  close(): Promise<void>;
}
