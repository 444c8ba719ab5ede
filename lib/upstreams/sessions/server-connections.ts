import type { ListedTool } from '../../catalog/catalog.ts';
import type { ServerFeatures } from '../../catalog/features.ts';
import type { ServerConfig } from '../../config/server-config.ts';
import type { LogLevel } from '../../json-rpc/log-level.ts';
import type { RawAnswer } from '../../json-rpc/server-messages.ts';
import type { ConnectDependencies } from '../connection/connect.ts';
import { linesBefore } from '../connection/failure-hints.ts';
import { SupervisedConnection, type SupervisedOptions } from '../connection/supervised-connection.ts';
import type { LogLines } from '../transports/log-lines.ts';
import type { ClosePurpose } from '../transports/transport.ts';
import { tooManySessions } from '../upstream-failures.ts';
import type { UpstreamRequest, UpstreamStatus } from '../upstreams.ts';
import type { UnsolicitedNotification } from './session-clients.ts';
import { createSessionLists } from './session-lists.ts';
import { createLogLevels } from './session-preferences.ts';
import { logAskedBack, logUndelivered, type Sharing } from './sharing.ts';
import { type Subscriptions, subscriptionMethods } from './subscriptions.ts';

/**
 * All connections of one server: the shared one, or for a stateful server one for each MCP session and a short one
 * whenever its tools are listed. The number of sessions is limited, and one more is refused rather than an older one
 * ended. A shared server that sends messages which name no call gets a connection for each session whose client can be
 * asked, so that each question reaches the right client (docs/protocol.md, rule 49; see `sharing.ts`). Beyond the limit
 * the connection that was unused for longest is closed; while all are busy, sessions go on sharing, and questions there
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
  /** This session's client has other roots. */
  rootsChanged(sessionId: string): void;
  endSession(sessionId: string): void;
  activeSessions(): readonly string[];
  /** Lets calls in flight finish, then closes. */
  drain(purpose: ClosePurpose): Promise<void>;
  close(reason: string, purpose: ClosePurpose): Promise<void>;
}

export interface ServerConnectionsOptions extends ServerState {
  readonly config: ServerConfig;
  readonly isCommitted: () => boolean;
  readonly onTools: (tools: readonly ListedTool[]) => void;
  readonly onFeatures: (features: ServerFeatures) => void;
  readonly onStatus: () => void;
  readonly onUnsolicited: (notification: UnsolicitedNotification, sessionId: string | undefined) => void;
  /** Takes a call that a closed connection never sent. */
  readonly elsewhere: (request: UpstreamRequest) => Promise<RawAnswer>;
}

/** Outlives the connections of a server. */
export interface ServerState {
  readonly logLines: LogLines;
  readonly sharing: Sharing;
  readonly subscriptions: Subscriptions;
}

/** How long a session's own connection to a shared server outlives the last call. */
const apartIdleMs = 60_000;
/** A connection unused for this long may be closed for another: many busy sessions must not cause a start for each call. */
const leastIdleMs = 1_000;

/** The lists of a shared server come from its shared connection: others depend on what one client declared. */
const noLists = { onTools() {}, onFeatures() {} };

export function createServerConnections(
  dependencies: ConnectDependencies,
  options: ServerConnectionsOptions,
): ServerConnections {
  const { config, sharing, subscriptions } = options;
  const { log } = dependencies;
  const isStateful = config.sessionMode === 'stateful';
  // Only Streamable HTTP has a stream for each call (2025-11-25 basic/transports).
  const hasCallStreams = config.transport === 'streamable_http';
  const sessions = new Map<string, SupervisedConnection>();
  const levels = createLogLevels();
  const lists = createSessionLists({ list: () => main.start(), onTools: options.onTools });
  let isUndeliveredLogged = false;
  const main = supervise({ purpose: isStateful ? 'listing' : 'shared', onStatus: options.onStatus });

  function supervise(
    which: Pick<SupervisedOptions, 'purpose' | 'sessionId' | 'idleMs' | 'onStatus'>,
  ): SupervisedConnection {
    const { sessionId, purpose } = which;
    // The subscriptions of a shared server stay on its shared connection.
    const keepsSubscriptions = purpose === (isStateful ? 'session' : 'shared');
    return new SupervisedConnection(dependencies, {
      ...options,
      ...which,
      ...listsOf(purpose),
      subscriptions: keepsSubscriptions ? subscriptions.of(sessionId) : undefined,
      logLevel: sessionId === undefined ? levels.forAll : () => levels.of(sessionId),
      onAskedBack() {
        if (sharing.onAskedBack()) logAskedBack(log, config);
      },
      onUndelivered() {
        if (!isUndeliveredLogged) logUndelivered(log, config);
        isUndeliveredLogged = true;
      },
      onUnsolicited: (notification) =>
        options.onUnsolicited(notification, notification.sessionId ?? sessionId),
    });
  }

  function listsOf(purpose: SupervisedOptions['purpose']): Partial<ServerConnectionsOptions> {
    if (!isStateful) return purpose === 'session' ? noLists : {};
    return { onTools: purpose === 'session' ? lists.forSession() : lists.listed };
  }

  /** Undefined: the limit of sessions is reached. */
  function connectionFor(
    request: UpstreamRequest,
    isSubscription: boolean,
  ): SupervisedConnection | undefined {
    if (!isStateful && isSubscription) return main;
    const existing = sessions.get(request.sessionId);
    if (existing) return existing;
    if (isStateful) return isFull() ? undefined : openFor(request.sessionId);
    if (!mustStayApart(request)) return main;
    return isFull() && !makeRoom() ? main : openFor(request.sessionId, apartIdleMs);
  }

  function mustStayApart(request: UpstreamRequest): boolean {
    if (config.image !== undefined) return false;
    const { live } = main;
    const mayLog = !hasCallStreams && live?.capabilities.logging === true;
    return sharing.mustStayApart(request, live?.multiplexer.users, mayLog);
  }

  function isFull(): boolean {
    return sessions.size >= config.limits.sessions;
  }

  /** Closes the connection of a session that was unused for longest. False: all are busy. */
  function makeRoom(): boolean {
    const usedBefore = dependencies.now() - leastIdleMs;
    const [longest] = [...sessions]
      .filter(([, { state, callsInFlight }]) => state === 'connected' && callsInFlight === 0)
      .filter(([, { idleTimer }]) => idleTimer.usedAt() <= usedBefore)
      .sort(([, one], [, other]) => one.idleTimer.usedAt() - other.idleTimer.usedAt());
    if (longest === undefined) return false;
    const [sessionId, connection] = longest;
    sessions.delete(sessionId);
    void connection.close('its place is needed', 'discard');
    return true;
  }

  function openFor(sessionId: string, idleMs?: number): SupervisedConnection {
    const onStatus = () => {
      // The next call of this session opens a new connection.
      const isOver = connection.state === 'idle' || connection.state === 'failed';
      if (isOver && sessions.get(sessionId) === connection) sessions.delete(sessionId);
      options.onStatus();
    };
    const idle = idleMs === undefined ? {} : { idleMs };
    const connection = supervise({ purpose: 'session', sessionId, ...idle, onStatus });
    sessions.set(sessionId, connection);
    return connection;
  }

  /** The connections that this session's calls may go to. */
  function connectionsOf(sessionId: string): SupervisedConnection[] {
    return all().filter((connection) => connection === main || connection === sessions.get(sessionId));
  }

  function all(): SupervisedConnection[] {
    return [main, ...sessions.values()];
  }

  return {
    config,
    request(request) {
      const isSubscription = subscriptionMethods.has(request.method);
      const connection = connectionFor(request, isSubscription);
      if (connection === undefined)
        return Promise.reject(tooManySessions(config.name, config.limits.sessions));
      const level = request.clientChannel?.logLevel;
      const isNewLevel = level !== undefined && levels.set(request.sessionId, level);
      // Chosen again, because the connection may have been closed for another meanwhile.
      if (isNewLevel) return connection.preferences.applyLogLevel().then(() => this.request(request));
      if (!isSubscription) return connection.request(request);
      connection.idleTimer.touch();
      return connection.preferences.relay(request, () => connection.request(request));
    },
    start: () => main.start(),
    relist: () => main.live?.list() ?? main.start(),
    async restart() {
      // The data in a session's container belongs to the session, until that ends.
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
      const unwanted = subscriptions.endSession(sessionId);
      if (!isStateful) main.preferences.unsubscribe(unwanted);
    },
    activeSessions: () => [...sessions.keys(), ...levels.sessions(), ...subscriptions.sessions()],
    async drain(purpose) {
      await Promise.all(all().map((connection) => connection.drain(purpose)));
    },
    async close(reason, purpose) {
      await Promise.all(all().map((connection) => connection.close(reason, purpose)));
    },
  };
}

/** @param main The connection that lists the tools. @param all Among them `main`. */
function statusOf(main: SupervisedConnection, all: readonly SupervisedConnection[]): UpstreamStatus {
  const isConnected = all.some((connection) => connection.state === 'connected');
  const missing = main.lastFailure?.details?.missing_variables;
  return {
    state: isConnected ? 'connected' : main.state,
    lastError: main.lastFailure?.message,
    lastErrorLines: linesBefore(main.lastFailure),
    connectedAt: main.connectedAt,
    missingVariables: Array.isArray(missing) ? missing : [],
    pid: main.live?.multiplexer.pid,
    callsInFlight: all.reduce((sum, connection) => sum + connection.callsInFlight, 0),
  };
}
