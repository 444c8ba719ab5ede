import type { ListedTool } from '../../catalog/catalog.ts';
import type { ServerFeatures } from '../../catalog/features.ts';
import type { ServerConfig } from '../../config/server-config.ts';
import type { LogLevel } from '../../json-rpc/log-level.ts';
import type { RawAnswer } from '../../json-rpc/raw-answer.ts';
import type { ConnectDependencies } from '../connection/connect.ts';
import { linesBefore } from '../connection/failure-hints.ts';
import { SupervisedConnection, type SupervisedOptions } from '../connection/supervised-connection.ts';
import type { UnsolicitedNotification } from '../multiplexer/receiver.ts';
import type { LogLines } from '../transports/log-lines.ts';
import type { ClosePurpose } from '../transports/transport.ts';
import { tooManySessions } from '../upstream-failures.ts';
import type { UpstreamRequest, UpstreamStatus } from '../upstreams.ts';
import { createSessionLists } from './session-lists.ts';
import { createLogLevels } from './session-preferences.ts';
import type { Sharing } from './sharing.ts';
import { isSubscription, type Subscriptions } from './subscriptions.ts';

/**
 * All connections of one server: the shared one, or for a stateful server one for each MCP session and a short
 * one whenever its tools are listed. Sessions are capped; one more is refused rather than an older one ended.
 * A shared server that has something to tell its clients, without saying in whose call, gets a connection for each
 * session that can be asked, so that each question finds the right client (mcp-spec rule 49; see `sharing.ts`). Beyond
 * the cap the one goes that was not used for longest; while all are busy, sessions go on sharing, and questions there
 * are refused.
 */
export interface ServerConnections {
  readonly config: ServerConfig;
  request(request: UpstreamRequest): Promise<RawAnswer>;
  /** Connects unless connected; the tools listed then. */
  start(): Promise<readonly ListedTool[]>;
  /** The same, but lists again when it was connected. */
  relist(): Promise<readonly ListedTool[]>;
  restart(): Promise<readonly ListedTool[]>;
  status(): UpstreamStatus;
  setLogLevel(sessionId: string, level: LogLevel): void;
  /** The roots of this session's client are others now. */
  rootsChanged(sessionId: string): void;
  endSession(sessionId: string): void;
  activeSessions(): readonly string[];
  /** Lets calls under way finish, then closes. */
  drain(purpose: ClosePurpose): Promise<void>;
  close(reason: string, purpose: ClosePurpose): Promise<void>;
}

export interface ServerConnectionsOptions {
  readonly config: ServerConfig;
  readonly logLines: LogLines;
  readonly sharing: Sharing;
  readonly isCommitted: () => boolean;
  readonly onTools: (tools: readonly ListedTool[]) => void;
  readonly onFeatures: (features: ServerFeatures) => void;
  readonly subscriptions: Subscriptions;
  readonly onStatus: () => void;
  readonly onUnsolicited: (notification: UnsolicitedNotification, sessionId: string | undefined) => void;
  /** For a call that a closed connection never sent. */
  readonly elsewhere: (request: UpstreamRequest) => Promise<RawAnswer>;
}

/** How long a connection that only keeps questions apart outlives its last call. */
const apartIdleMs = 60_000;

const asksBack =
  'This server asks clients something outside of the streams of their calls; each session gets a connection of its own.';
const asksInContainer =
  'This server asks clients something outside of the streams of their calls. Its sessions share one container and its data, so such questions are refused once several have used it. With `session_mode: stateful` each session has a container, and data, of its own.';
const undelivered =
  'This server logs to several sessions over one connection, which reaches none: nobody can tell whose it is. With `session_mode: stateful` each session has a connection of its own.';

/** What a shared server offers is what it offers over the shared connection: over another it goes by what that one client declared. */
const undeliveredLists = { onTools() {}, onFeatures() {} };

export function createServerConnections(
  dependencies: ConnectDependencies,
  options: ServerConnectionsOptions,
): ServerConnections {
  const { config, sharing } = options;
  const { log } = dependencies;
  const isStateful = config.sessionMode === 'stateful';
  // Only Streamable HTTP has a stream for each call (2025-11-25 basic/transports).
  const isSilentAboutCalls = config.transport !== 'streamable_http';
  const sessions = new Map<string, SupervisedConnection>();
  const levels = createLogLevels();
  const lists = createSessionLists({ list: () => main.start(), onTools: options.onTools });
  let isUndeliveredRecorded = false;
  const main = supervise({ purpose: isStateful ? 'listing' : 'shared', onStatus: options.onStatus });

  function supervise(
    which: Pick<SupervisedOptions, 'purpose' | 'sessionId' | 'idleMs' | 'onStatus'>,
  ): SupervisedConnection {
    const { sessionId } = which;
    return new SupervisedConnection(dependencies, {
      ...options,
      ...which,
      ...listsOf(which.purpose),
      subscriptions: keepsSubscriptions(which) ? options.subscriptions.of(sessionId) : undefined,
      logLevel: sessionId === undefined ? levels.forAll : () => levels.of(sessionId),
      onAskedBack() {
        if (sharing.onAsksBack()) noteAsking();
      },
      onUndelivered() {
        if (!isUndeliveredRecorded) log.warn({ server: config.name }, undelivered);
        isUndeliveredRecorded = true;
      },
      onUnsolicited: (notification) =>
        options.onUnsolicited(notification, notification.sessionId ?? sessionId),
    });
  }

  function listsOf(purpose: SupervisedOptions['purpose']): Partial<ServerConnectionsOptions> {
    if (!isStateful) return purpose === 'session' ? undeliveredLists : {};
    return { onTools: purpose === 'session' ? lists.forSession() : lists.listed };
  }

  function noteAsking(): void {
    const { name, image } = config;
    if (image === undefined) log.info({ server: name }, asksBack);
    else if (!isStateful) log.warn({ server: name }, asksInContainer);
  }

  /** Those of a shared server stay on its shared connection, whatever others it has. */
  function keepsSubscriptions({ purpose }: Pick<SupervisedOptions, 'purpose'>): boolean {
    return purpose === (isStateful ? 'session' : 'shared');
  }

  /** Undefined: there are as many as there may be. */
  function connectionFor(request: UpstreamRequest): SupervisedConnection | undefined {
    if (!isStateful && isSubscription(request.method)) return main;
    const existing = sessions.get(request.sessionId);
    if (existing) return existing;
    if (isStateful) return isFull() ? undefined : openFor(request.sessionId);
    if (!mustStayApart(request)) return main;
    return isFull() && !makeRoom() ? main : openFor(request.sessionId, apartIdleMs);
  }

  function mustStayApart(request: UpstreamRequest): boolean {
    if (config.image !== undefined) return false;
    const { live } = main;
    const mayLog = isSilentAboutCalls && live?.capabilities.logging === true;
    return sharing.mustStayApart(request, live?.multiplexer.users, mayLog);
  }

  function isFull(): boolean {
    return sessions.size >= config.limits.sessions;
  }

  /** Of those that only keep questions apart, the one goes that was not used for longest. False: all are busy. */
  function makeRoom(): boolean {
    const [sessionId, connection] = unusedLongest(sessions, dependencies.now()) ?? [];
    if (sessionId === undefined || connection === undefined) return false;
    sessions.delete(sessionId);
    void connection.close('its place is needed', 'discard');
    return true;
  }

  function openFor(sessionId: string, idleMs?: number): SupervisedConnection {
    const onStatus = () => {
      // Dead or never alive: the next call of this session begins with a new one.
      const isOver = connection.state === 'idle' || connection.state === 'failed';
      if (isOver && sessions.get(sessionId) === connection) sessions.delete(sessionId);
      options.onStatus();
    };
    const lasting = idleMs === undefined ? {} : { idleMs };
    const connection = supervise({ purpose: 'session', sessionId, ...lasting, onStatus });
    sessions.set(sessionId, connection);
    return connection;
  }

  /** Those that this session's calls may go to. */
  function connectionsOf(sessionId: string): SupervisedConnection[] {
    return all().filter((connection) => connection === main || connection === sessions.get(sessionId));
  }

  function all(): SupervisedConnection[] {
    return [main, ...sessions.values()];
  }

  return {
    config,
    request(request) {
      const connection = connectionFor(request);
      if (connection === undefined)
        return Promise.reject(tooManySessions(config.name, config.limits.sessions));
      const level = request.clientChannel?.logLevel;
      const isNewLevel = level !== undefined && levels.set(request.sessionId, level);
      // Meanwhile it may have made room for another.
      if (isNewLevel) return connection.preferences.applyLogLevel().then(() => this.request(request));
      return connection.request(request);
    },
    start: () => main.start(),
    relist: () => main.live?.list() ?? main.start(),
    async restart() {
      // What a session's container keeps is of that session, until it ends.
      for (const connection of sessions.values()) void connection.close('it is being restarted', 'stop');
      return await main.restart();
    },
    status: () => statusOf(main, all()),
    setLogLevel(sessionId, level) {
      if (!levels.set(sessionId, level)) return;
      for (const connection of connectionsOf(sessionId)) void connection.preferences.applyLogLevel();
    },
    rootsChanged(sessionId) {
      sessions.get(sessionId)?.preferences.rootsChanged();
    },
    endSession(sessionId) {
      levels.endSession(sessionId);
      main.live?.multiplexer.users.end(sessionId);
      const connection = sessions.get(sessionId);
      sessions.delete(sessionId);
      void connection?.close('the session has ended', 'discard');
      const unwanted = options.subscriptions.endSession(sessionId);
      if (!isStateful) main.preferences.unsubscribe(unwanted);
    },
    activeSessions: () => [...sessions.keys(), ...levels.sessions(), ...options.subscriptions.sessions()],
    async drain(purpose) {
      await Promise.all(all().map((connection) => connection.drain(purpose)));
    },
    async close(reason, purpose) {
      await Promise.all(all().map((connection) => connection.close(reason, purpose)));
    },
  };
}

/** Unused for so long it may make room for another: many busy sessions must not start a process for each call. */
const leastIdleMs = 1_000;

/**
 * Of the sessions with a connection of their own, the one that has not used it for longest; undefined: all are busy.
 * @param now Monotonic milliseconds.
 */
export function unusedLongest(
  sessions: ReadonlyMap<string, SupervisedConnection>,
  now: number,
): readonly [sessionId: string, connection: SupervisedConnection] | undefined {
  const [longest] = [...sessions]
    .filter(([, { state, callsInFlight }]) => state === 'connected' && callsInFlight === 0)
    .filter(([, { idleWatch }]) => idleWatch.usedAt() <= now - leastIdleMs)
    .sort(([, one], [, other]) => one.idleWatch.usedAt() - other.idleWatch.usedAt());
  return longest;
}

/** How a server is, of whose connections `main` is the one that lists its tools. */
export function statusOf(main: SupervisedConnection, all: readonly SupervisedConnection[]): UpstreamStatus {
  const serves = all.some((connection) => connection.state === 'connected');
  const missing = main.lastFailure?.details?.missing_variables;
  return {
    state: serves ? 'connected' : main.state,
    lastError: main.lastFailure?.message,
    lastErrorLines: linesBefore(main.lastFailure),
    connectedAt: main.connectedAt,
    missingVariables: Array.isArray(missing) ? missing : [],
    pid: main.live?.multiplexer.pid,
    callsInFlight: all.reduce((sum, connection) => sum + connection.callsInFlight, 0),
  };
}
