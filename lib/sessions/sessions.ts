import type { LogLevel } from '../json-rpc/log-level.ts';

/**
 * MCP sessions. The truth is a row in the database; each process keeps the rows it met in memory, so a
 * request on a known session reads nothing. Any process can serve any session, also after a restart.
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
  /** Asked for with `logging/setLevel`; absent: the client did not. */
  readonly logLevel?: LogLevel;
}

export type NewSession = Omit<Session, 'id' | 'logLevel'>;

export interface Sessions {
  /**
   * Writes the row before it resolves. Rejects with `database_unavailable`, and with `too_many_requests` while there are as
   * many as there may be.
   */
  create(session: NewSession): Promise<Session>;
  /**
   * The session, or undefined when it is unknown, expired or ended. Counts as a use: the row's last use is
   * written at most once a minute (or a quarter of the life time), and never on the caller's time.
   * Synchronous when this process knows the session already. Rejects with `database_unavailable` otherwise.
   */
  find(id: string): Session | undefined | Promise<Session | undefined>;
  /** The same without counting as a use: on a session that was only begun nothing is asked yet. */
  read(id: string): Promise<Session | undefined>;
  /** The session if this process knows it already, as it is known here. Does not count as a use. */
  peek(id: string): Session | undefined;
  /** Holds everywhere within a second (news `session_changed`). Rejects with `database_unavailable`. */
  setLogLevel(id: string, level: LogLevel): Promise<void>;
  /** Ends it everywhere within a second (news `session_closed`). False when there was none. */
  end(id: string): Promise<boolean>;
  /** Counts as a use of each of them, like `find`: who listens or waits for an answer is there. */
  use(ids: Iterable<string>): void;
  /** Those of them that are no more, expired ones only once they were reaped. Rejects with `database_unavailable`. */
  gone(ids: readonly string[]): Promise<readonly string[]>;
  /** Deletes rows that expired, or were not used in time, and publishes their end. Called on a timer by the service. */
  reap(): Promise<void>;
  /** How many sessions this process holds in memory. */
  size(): number;
  close(): Promise<void>;
}
