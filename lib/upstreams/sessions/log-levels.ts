import { defaultLogLevel, type LogLevel, mostVerbose } from '../../json-rpc/log-level.ts';
import type { Connection } from '../connection/connect.ts';

/**
 * How verbose a server has to be for the sessions that use it (mcp-spec rule 44). A shared connection is as verbose as
 * the session that wants most, and no less than what sessions get that asked for nothing; each gets only its share.
 */
export interface LogLevels {
  /** True when that is news. */
  set(sessionId: string, level: LogLevel): boolean;
  endSession(sessionId: string): void;
  sessions(): Iterable<string>;
  /** Undefined: nobody asked, and the server keeps what it begins with. */
  forAll(): LogLevel | undefined;
  of(sessionId: string): LogLevel | undefined;
}

export function createLogLevels(): LogLevels {
  const levels = new Map<string, LogLevel>();
  return {
    set(sessionId, level) {
      if (levels.get(sessionId) === level) return false;
      levels.set(sessionId, level);
      return true;
    },
    endSession: (sessionId) => void levels.delete(sessionId),
    sessions: () => levels.keys(),
    forAll: () => (levels.size === 0 ? undefined : mostVerbose([defaultLogLevel, ...levels.values()])),
    of: (sessionId) => levels.get(sessionId),
  };
}

/** A server that does not take the level soon goes on with the one it has. */
const waitMs = 2_000;

/**
 * Tells a connection's server the level, once for each connection and each change. The promise resolves when it was
 * taken, so that what is asked next is logged as wanted.
 */
export function createLevelTeller(wanted: () => LogLevel | undefined) {
  let last: { readonly connection: Connection; readonly level: LogLevel } | undefined;

  return async function tell(connection: Connection | undefined): Promise<void> {
    const level = wanted();
    if (level === undefined || !connection?.capabilities.logging) return;
    if (last?.connection === connection && last.level === level) return;
    last = { connection, level };
    await connection.multiplexer.ask('logging/setLevel', JSON.stringify({ level }), waitMs).catch(() => {});
  };
}
