import type { ListedTool } from '../catalog/catalog.ts';
import type { ServerConfig } from '../catalog/server-config.ts';
import type { ConnectDependencies } from './connect.ts';
import type { LogLines } from './log-lines.ts';
import { SupervisedConnection } from './supervised-connection.ts';
import type { SupervisedOptions } from './supervised-options.ts';
import type { ClosePurpose } from './transport.ts';
import { tooManySessions } from './upstream-failures.ts';
import type { UpstreamAnswer, UpstreamRequest, UpstreamStatus } from './upstreams.ts';

/**
 * All connections of one server: the shared one, or for a stateful server one for each MCP session and a short
 * one whenever its tools are listed. Sessions are capped; one more is refused rather than an older one ended.
 */
export interface ServerConnections {
  readonly config: ServerConfig;
  request(request: UpstreamRequest): Promise<UpstreamAnswer>;
  /** Connects unless connected; the tools listed then. */
  start(): Promise<readonly ListedTool[]>;
  restart(): Promise<readonly ListedTool[]>;
  status(): UpstreamStatus;
  endSession(sessionId: string): void;
  /** Lets calls under way finish, then closes. */
  drain(): Promise<void>;
  close(reason: string, purpose: ClosePurpose): Promise<void>;
}

export interface ServerConnectionsOptions {
  readonly config: ServerConfig;
  readonly logLines: LogLines;
  readonly isInstalled: () => boolean;
  readonly onTools: (tools: readonly ListedTool[]) => void;
  readonly onStatus: () => void;
}

export function createServerConnections(
  dependencies: ConnectDependencies,
  options: ServerConnectionsOptions,
): ServerConnections {
  const { config } = options;
  const isStateful = config.sessionMode === 'stateful';
  const sessions = new Map<string, SupervisedConnection>();
  const main = supervise({ purpose: isStateful ? 'listing' : 'shared', onStatus: options.onStatus });

  function supervise(
    which: Pick<SupervisedOptions, 'purpose' | 'sessionId' | 'onStatus'>,
  ): SupervisedConnection {
    return new SupervisedConnection(dependencies, { ...options, ...which });
  }

  function connectionOf(sessionId: string): SupervisedConnection {
    if (!isStateful) return main;
    const existing = sessions.get(sessionId);
    if (existing) return existing;
    if (sessions.size >= config.limits.sessions) throw tooManySessions(config.name, config.limits.sessions);
    const onStatus = () => {
      // Dead or never alive: the next call of this session begins with a new one.
      const isOver = connection.state === 'idle' || connection.state === 'failed';
      if (isOver && sessions.get(sessionId) === connection) sessions.delete(sessionId);
      options.onStatus();
    };
    const connection = supervise({ purpose: 'session', sessionId, onStatus });
    sessions.set(sessionId, connection);
    return connection;
  }

  function all(): SupervisedConnection[] {
    return [main, ...sessions.values()];
  }

  return {
    config,
    async request(request) {
      return await connectionOf(request.sessionId).request(request);
    },
    start: () => main.start(),
    async restart() {
      for (const connection of sessions.values()) void connection.close('it is being restarted', 'discard');
      return await main.restart();
    },
    status: () => statusOf(main, all()),
    endSession(sessionId) {
      const connection = sessions.get(sessionId);
      sessions.delete(sessionId);
      void connection?.close('the session has ended', 'discard');
    },
    async drain() {
      await Promise.all(all().map((connection) => connection.drain()));
    },
    async close(reason, purpose) {
      await Promise.all(all().map((connection) => connection.close(reason, purpose)));
    },
  };
}

function statusOf(main: SupervisedConnection, all: readonly SupervisedConnection[]): UpstreamStatus {
  const serves = all.some((connection) => connection.state === 'connected');
  const missing = main.lastFailure?.details?.missing_variables;
  return {
    state: serves ? 'connected' : main.state,
    lastError: main.lastFailure?.message,
    connectedAt: main.connectedAt,
    missingVariables: Array.isArray(missing) ? missing : [],
    pid: main.pid,
    callsInFlight: all.reduce((sum, connection) => sum + connection.callsInFlight, 0),
  };
}
