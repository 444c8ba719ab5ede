import type { CancelSignal } from '../async/cancellation.ts';
import type { ListedTool } from '../catalog/catalog.ts';
import type { ServerFeatures } from '../catalog/features.ts';
import type { ServerConfig } from '../config/server-config.ts';
import type { LogLevel } from '../json-rpc/log-level.ts';
import type { RawAnswer } from '../json-rpc/server-messages.ts';
import type { Log } from '../log.ts';
import type { Secrets } from '../secrets/secrets.ts';
import type { SessionClients, UnsolicitedNotification } from './sessions/session-clients.ts';
import type { Openers } from './transports/transport.ts';

/**
 * The connections to all MCP servers: one supervised connection per server, opened when first needed, or one per MCP
 * session (`session_mode: stateful`). Callers need not know the transport of a server.
 */
export interface Upstreams {
  /**
   * Adds or replaces a server without connecting; the next call connects. An older connection drains. Where both are in
   * containers, calls wait for that, and the older container runs on: the container store decides whether it is used again.
   */
  install(config: ServerConfig): void;
  /**
   * Connects to the server that `config` describes and lists its tools, while an installed one of the same name
   * goes on serving. Nothing is visible until `commit`. Rejects with `upstream_unavailable` or
   * `upstream_timeout` (naming the server) when there is no tool list within `timeouts.startMs`, and with
   * `missing_variables`-carrying `upstream_unavailable` (`details.missing_variables`) when a `${NAME}` has no value.
   * Once `signal` is aborted the start is given up and rejects like any failed one. A config with `isTryOut` is started on
   * data of its own, and replaces the installed server by turns when committed.
   */
  prepare(config: ServerConfig, signal?: AbortSignal): Promise<Candidate>;
  /** Closes the server's connections; calls in flight fail, and its container runs on for another process. */
  letGo(name: string): Promise<void>;
  /** Closes the server's connections; calls in flight fail. Its containers are removed, or with `stop` only stopped. */
  remove(name: string, purpose?: 'discard' | 'stop'): Promise<void>;
  /**
   * Relays one request. Rejects with `upstream_unavailable`, `upstream_timeout`, `too_many_requests` or
   * `server_not_found`, or with `signal.reason`. `params` may be called twice, when a request that was never sent is sent
   * over a new connection.
   */
  request(request: UpstreamRequest): Promise<RawAnswer>;
  /** Connects unless connected, without waiting for a call; resolves with the tools listed then. */
  connect(name: string): Promise<readonly ListedTool[]>;
  /** Connects unless connected; resolves with the tools listed now. An open connection stays open. */
  relist(name: string): Promise<readonly ListedTool[]>;
  /** Ends the process or connection and opens it anew; resolves with the tools listed afterwards. */
  restart(name: string): Promise<readonly ListedTool[]>;
  status(name: string): UpstreamStatus | undefined;
  /** The last lines the server wrote to stderr, oldest first. */
  logs(name: string, tail: number): readonly string[];
  /** Calls `onLine` for each further line until the returned function is called. */
  followLogs(name: string, onLine: (line: string) => void): () => void;
  /** From now on the running server logs at least at this level (docs/protocol.md, rule 44). */
  setLogLevel(name: string, sessionId: string, level: LogLevel): void;
  /**
   * The session's client has other roots; notifies the servers that have a connection for it alone
   * (docs/protocol.md, rule 51).
   */
  rootsChanged(sessionId: string): void;
  /** Closes the connections of this MCP session, and deletes its preferences. */
  endSession(sessionId: string): void;
  /** The sessions that have connections or preferences here. */
  activeSessions(): readonly string[];
  close(): Promise<void>;
}

export interface Candidate {
  readonly tools: readonly ListedTool[];
  /**
   * From now on this connection serves; the older one finishes its calls and closes. With a try-out, calls wait from now
   * on, the older container finishes its calls (for at most 10 s) and stops, the try-out is removed, and its config starts
   * on the server's data. When that fails, the older config serves again, and this rejects as `prepare` does.
   */
  commit(): Promise<void>;
  discard(): Promise<void>;
}

export interface UpstreamRequest {
  readonly server: string;
  readonly sessionId: string;
  readonly method: string;
  /**
   * The raw JSON text of `params`. The caller writes `progressToken`, which is unique on the connection, in place of
   * the client's own token when the client asked for progress (docs/protocol.md, rule 41).
   */
  readonly params: (progressToken: number) => string;
  /**
   * Aborted when the client cancels: the request is cancelled at the server, and the call rejects with `signal.reason`
   * (docs/protocol.md, rule 42).
   */
  readonly signal: CancelSignal;
  /** A progress notification of this request, raw text of the whole message, with `progressToken` in it. */
  readonly onProgress?: (message: string) => void;
  /** The client behind this request, when it can receive notifications and questions while the server works. */
  readonly clientChannel?: ClientChannel;
}

/** To the client whose request a server is working on (docs/protocol.md, rules 44 and 49). */
export interface ClientChannel {
  /** The client declared sampling, elicitation or roots. */
  readonly canAnswer: boolean;
  /** As set with `logging/setLevel`. */
  readonly logLevel: LogLevel | undefined;
  /** A notification that belongs to the request: raw text of the whole message. */
  notify(message: string): void;
  /** The server ended its stream, which will be resumed; the client's stream may end too (SEP-1699). */
  hangUp(): void;
  /**
   * Asks the client (sampling, elicitation, roots) and resolves with its answer as raw JSON text; never rejects.
   * `params` is raw JSON text. Ends with an error of its own when `signal` is aborted.
   */
  ask(method: string, params: string, signal: CancelSignal): Promise<RawAnswer>;
}

export interface UpstreamStatus {
  readonly state: 'connected' | 'connecting' | 'idle' | 'failed';
  readonly lastError: string | undefined;
  /** The server's last lines before the error, for administrators: bounded, secrets blotted out. */
  readonly lastErrorLines?: readonly string[];
  readonly connectedAt: Date | undefined;
  readonly missingVariables: readonly string[];
  /** Process id of the shared child, when there is one. */
  readonly pid: number | undefined;
  readonly callsInFlight: number;
}

export interface UpstreamsDependencies {
  readonly secrets: Secrets;
  readonly openers: Openers;
  readonly log: Log;
  /** An installed server listed its tools: at each connect, and after each `list_changed`. */
  readonly onTools: (config: ServerConfig, tools: readonly ListedTool[]) => void;
  /** The same for its prompts, resources and resource templates. */
  readonly onFeatures?: (config: ServerConfig, features: ServerFeatures) => void;
  /**
   * A notification of an installed server that belongs to no call. `sessionId`: for that session only, which alone has used
   * the connection; log messages are always for one session.
   */
  readonly onUnsolicited?: (
    server: string,
    notification: UnsolicitedNotification,
    sessionId: string | undefined,
  ) => void;
  /** Absent: clients cannot be asked outside of calls. */
  readonly clients?: SessionClients;
  /** `status(name)` has changed. */
  readonly onStatus: (name: string) => void;
  /** How long the calls of a container may take to finish before another one serves on its data, ms. */
  readonly drainMs?: number;
  /** Monotonic milliseconds, for deadlines: the time of day may be set. */
  readonly now?: () => number;
  /** Milliseconds since 1970. */
  readonly wallClock?: () => number;
  /** Of this program, as servers see it. */
  readonly clientVersion?: string;
  /** By which other gateways know this one. */
  readonly gatewayId?: () => string;
}
