import { defaultLogLevel, type LogLevel, mostVerbose } from '../../json-rpc/log-level.ts';
import type { RawAnswer } from '../../json-rpc/server-messages.ts';
import type { Connection } from '../connection/connect.ts';
import type { Multiplexer } from '../multiplexer/multiplexer.ts';
import type { UpstreamRequest } from '../upstreams.ts';
import type { ConnectionSubscriptions } from './subscriptions.ts';

/**
 * What a server has to know of its sessions apart from their calls: the log level, their subscriptions, and changes of
 * their roots. Sent at once, and again over each new connection.
 */
export interface SessionPreferences {
  sendAll(connection: PreferencesConnection): void;
  /** Relays a subscription through `send` if the server has to know of it, and records what the server agreed to. */
  relay(request: UpstreamRequest, send: () => Promise<RawAnswer>): Promise<RawAnswer>;
  /** A server with a subscription, or with a client that is being asked, is not idle. */
  keepAwake(): boolean;
  /** For resources that no session is subscribed to any more. */
  unsubscribe(uris: readonly string[]): void;
  /** Resolves when the server, if it runs, has taken the level that is wanted now. */
  applyLogLevel(): Promise<void>;
  /** The one client of the connection has other roots. */
  rootsChanged(): void;
}

export interface PreferencesConnection extends Pick<Connection, 'capabilities' | 'declaresRoots'> {
  readonly multiplexer: Pick<Multiplexer, 'ask' | 'notify' | 'isAsking' | 'users'>;
}

export interface SessionPreferencesOptions {
  readonly live: () => PreferencesConnection | undefined;
  readonly logLevel: () => LogLevel | undefined;
  /** Undefined: another connection keeps them up. */
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
  const sendLevel = createSendLevel(logLevel);
  /** The roots changed during a start, in which the server may have received the earlier ones already. */
  let mustSendRoots = false;

  function sendRoots(connection: PreferencesConnection | undefined): void {
    mustSendRoots = connection === undefined;
    if (!connection?.declaresRoots) return;
    connection.multiplexer.notify('notifications/roots/list_changed').catch(() => {});
  }

  /** The answer changes nothing. */
  function send(connection: PreferencesConnection | undefined, method: string, uri: string): void {
    void connection?.multiplexer.ask(method, JSON.stringify({ uri }), waitMs).catch(() => {});
  }

  return {
    sendAll(connection) {
      void sendLevel(connection);
      if (mustSendRoots) sendRoots(connection);
      for (const sessionId of subscriptions?.sessions() ?? [])
        connection.multiplexer.users.add(sessionId, false);
      for (const uri of subscriptions?.uris() ?? []) send(connection, 'resources/subscribe', uri);
    },
    async relay(request, relayed) {
      const known = subscriptions?.answerFor(request);
      if (known) return known;
      const answer = await relayed();
      if ('result' in answer) subscriptions?.record(request);
      return answer;
    },
    keepAwake: () => (subscriptions?.uris().length ?? 0) > 0 || live()?.multiplexer.isAsking === true,
    unsubscribe(uris) {
      for (const uri of uris) send(live(), 'resources/unsubscribe', uri);
    },
    applyLogLevel: () => sendLevel(live()),
    rootsChanged: () => sendRoots(live()),
  };
}

/** A server that does not take the level in time keeps the one it has. */
const levelWaitMs = 2_000;

/**
 * Sends the wanted level, once for each connection and each change. The promise resolves when the server has taken it, so
 * that the next call is logged at that level.
 */
function createSendLevel(wanted: () => LogLevel | undefined) {
  let last: { readonly connection: PreferencesConnection; readonly level: LogLevel } | undefined;

  return async (connection: PreferencesConnection | undefined): Promise<void> => {
    const level = wanted();
    if (level === undefined || !connection?.capabilities.logging) return;
    if (last?.connection === connection && last.level === level) return;
    last = { connection, level };
    const params = JSON.stringify({ level });
    await connection.multiplexer.ask('logging/setLevel', params, levelWaitMs).catch(() => {});
  };
}

/**
 * The log levels that the sessions of a server have set (docs/protocol.md, rule 44). A shared connection has the most
 * verbose of these, and at least the default, for sessions that set none; each session then gets only its own share.
 */
export interface LogLevels {
  /** True when the level is another one than before. */
  set(sessionId: string, level: LogLevel): boolean;
  endSession(sessionId: string): void;
  sessions(): Iterable<string>;
  /** Undefined: no session has set one, and the server keeps its own default. */
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
