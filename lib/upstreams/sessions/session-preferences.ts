import { defaultLogLevel, type LogLevel, mostVerbose } from '../../json-rpc/log-level.ts';
import type { RawAnswer } from '../../json-rpc/raw-answer.ts';
import type { Connection } from '../connection/connect.ts';
import type { UpstreamRequest } from '../upstreams.ts';
import type { ConnectionSubscriptions } from './subscriptions.ts';

/**
 * What a server has to know of its sessions apart from their calls: how verbose to be, and which resources somebody
 * wants to hear of. It is told at once, and again over each new connection.
 */
export interface SessionPreferences {
  sendAll(connection: Connection): void;
  /** Relays through `send` what the server need not be kept from, and takes down what it agreed to. */
  relay(request: UpstreamRequest, send: () => Promise<RawAnswer>): Promise<RawAnswer>;
  /** While somebody waits to hear of a resource, or is asked, a server is not idle. */
  keepAwake(): boolean;
  /** Nobody wants to hear of these resources any more. */
  unsubscribe(uris: readonly string[]): void;
  /** Resolves when the server, if it runs, has taken the level that is wanted now. */
  applyLogLevel(): Promise<void>;
  /** The one client of the connection has other roots. */
  rootsChanged(): void;
}

export interface SessionPreferencesOptions {
  readonly live: () => Connection | undefined;
  readonly logLevel: () => LogLevel | undefined;
  /** Absent: another connection looks after them. */
  readonly subscriptions: ConnectionSubscriptions | undefined;
  /** How long the server may take to agree, ms. */
  readonly waitMs: number;
}

export function createSessionPreferences({
  live,
  logLevel,
  subscriptions,
  waitMs,
}: SessionPreferencesOptions): SessionPreferences {
  const sendLevel = createLevelTeller(logLevel);
  /** While it starts it may have been told the earlier ones already. */
  let haveRootsChanged = false;

  function sendRoots(connection: Connection | undefined): void {
    haveRootsChanged = connection === undefined;
    if (!connection?.declaresRoots) return;
    connection.multiplexer.notify('notifications/roots/list_changed').catch(() => {});
  }

  /** Its answer changes nothing. */
  function tell(connection: Connection | undefined, method: string, uri: string): void {
    void connection?.multiplexer.ask(method, JSON.stringify({ uri }), waitMs).catch(() => {});
  }

  return {
    sendAll(connection) {
      void sendLevel(connection);
      if (haveRootsChanged) sendRoots(connection);
      for (const sessionId of subscriptions?.sessions() ?? [])
        connection.multiplexer.users.add(sessionId, false);
      for (const uri of subscriptions?.uris() ?? []) tell(connection, 'resources/subscribe', uri);
    },
    async relay(request, send) {
      const known = subscriptions?.answerFor(request);
      if (known) return known;
      const answer = await send();
      if ('result' in answer) subscriptions?.note(request);
      return answer;
    },
    keepAwake: () => (subscriptions?.uris().length ?? 0) > 0 || live()?.multiplexer.isAsking === true,
    unsubscribe(uris) {
      for (const uri of uris) tell(live(), 'resources/unsubscribe', uri);
    },
    applyLogLevel: () => sendLevel(live()),
    rootsChanged: () => sendRoots(live()),
  };
}

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
