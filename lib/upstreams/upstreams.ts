import type { CancelSignal } from '../async/cancellation.ts';
import type { ListedTool } from '../catalog/catalog.ts';
import type { ServerFeatures } from '../catalog/features.ts';
import type { ServerConfig } from '../config/server-config.ts';
import type { LogLevel } from '../json-rpc/log-level.ts';
import type { RawAnswer } from '../json-rpc/raw-answer.ts';
import type { Log } from '../log.ts';
import type { Secrets } from '../secrets/secrets.ts';
import type { UnsolicitedNotification } from './multiplexer/receiver.ts';
import type { SessionClients } from './sessions/session-clients.ts';
import type { Openers } from './transports/transport.ts';

/**
 * The connections to all MCP servers. One supervised connection per server, opened lazily and kept (or one per
 * MCP session, `session_mode: stateful`). Callers cannot tell a child process from an HTTP server.
 */
export interface Upstreams {
  /**
   * Adds or replaces a server without connecting; the next call connects. An older connection drains. Where both are in
   * containers calls wait until it has, and its container runs on: whether it is the next one's too is for the keeper to say.
   */
  install(config: ServerConfig): void;
  /**
   * Connects to the server that `config` describes and lists its tools, while an installed one of the same name
   * goes on serving. Nothing is visible until `commit`. Rejects with `upstream_unavailable` or
   * `upstream_timeout` (naming the server) when there is no tool list within `timeouts.startMs`, and with
   * `missing_variables`-carrying `upstream_unavailable` (`details.missing_variables`) when a `${NAME}` has no value.
   * Once `signal` is aborted it gives up, rejecting like any failed start. A config with `isTryOut` is started on data of
   * its own; to commit it is to swap by turns.
   */
  prepare(config: ServerConfig, signal?: AbortSignal): Promise<Candidate>;
  /** Closes its connections, and a container of it runs on for another process; calls under way fail. */
  letGo(name: string): Promise<void>;
  /** Closes its connections; calls under way fail. Its containers are removed, or with `stop` only stopped. */
  remove(name: string, purpose?: 'discard' | 'stop'): Promise<void>;
  /**
   * Relays one request. Rejects with `upstream_unavailable`, `upstream_timeout`, `too_many_requests` or
   * `server_not_found`, or with `signal.reason`. `params` may be asked for twice, when what never left us is sent
   * over a new connection.
   */
  request(request: UpstreamRequest): Promise<RawAnswer>;
  /** Connects unless connected, without waiting for a call; resolves with the tools listed then. */
  connect(name: string): Promise<readonly ListedTool[]>;
  /** Connects unless connected; resolves with the tools that it lists now. What runs is not touched. */
  relist(name: string): Promise<readonly ListedTool[]>;
  /** Ends the process or connection and opens it anew; resolves with the tools listed afterwards. */
  restart(name: string): Promise<readonly ListedTool[]>;
  status(name: string): UpstreamStatus | undefined;
  /** The last lines the server wrote to stderr, oldest first. */
  logs(name: string, tail: number): readonly string[];
  /** Calls `onLine` for each further line until the returned function is called. */
  followLogs(name: string, onLine: (line: string) => void): () => void;
  /** From now on the server, when it runs, is as verbose as this session wants, or more (mcp-spec rule 44). */
  setLogLevel(name: string, sessionId: string, level: LogLevel): void;
  /** The session's client has other roots; the connections that are its own hear of it (mcp-spec rule 51). */
  rootsChanged(sessionId: string): void;
  /** Closes what a stateful server kept for this MCP session. */
  endSession(sessionId: string): void;
  /** The sessions that `endSession` would close something of. */
  activeSessions(): readonly string[];
  close(): Promise<void>;
}

export interface Candidate {
  readonly tools: readonly ListedTool[];
  /**
   * From now on this connection serves; the older one finishes its calls and closes. Of a try-out: calls wait from now on,
   * the older container finishes its calls (for at most 10 s) and stops, the try-out goes, and its config starts on the
   * server's data. When it does not, the older config serves again, and this rejects as `prepare` does.
   */
  commit(): Promise<void>;
  discard(): Promise<void>;
}

export interface UpstreamRequest {
  readonly server: string;
  readonly sessionId: string;
  readonly method: string;
  /**
   * The raw JSON text of `params`. `progressToken` is ours, unique on that connection: the caller writes it in
   * place of the client's own token when the client asked for progress (rule 41).
   */
  readonly params: (progressToken: number) => string;
  /** Aborted when the client cancels: the server is told and the call rejects with `signal.reason` (rule 42). */
  readonly signal: CancelSignal;
  /** A progress notification of this request, raw text of the whole message, our token still in it. */
  readonly onProgress?: (message: string) => void;
  /** The client behind this request, when it can be told and asked while the server works. */
  readonly clientChannel?: ClientChannel;
}

/** Towards the client whose request a server is working on (mcp-spec rules 44 and 49). */
export interface ClientChannel {
  /** It declared something that servers may ask of it. */
  readonly canAnswer: boolean;
  /** What it asked for with `logging/setLevel`. */
  readonly logLevel: LogLevel | undefined;
  /** A notification that belongs to the request: raw text of the whole message. */
  notify(message: string): void;
  /** The server ended its stream to be asked for the rest later, and the client may do the same (SEP-1699). */
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
  /** What it wrote before, for whoever looks after it: the last lines, bounded, secrets blotted out. */
  readonly lastErrorLines?: readonly string[];
  readonly connectedAt: Date | undefined;
  readonly missingVariables: readonly string[];
  /** Process id of the shared child, when there is one. */
  readonly pid: number | undefined;
  readonly callsInFlight: number;
}

/** What the upstreams need, and whom they tell. */
export interface UpstreamsDependencies {
  readonly secrets: Secrets;
  readonly openers: Openers;
  readonly log: Log;
  /** An installed server listed its tools: at each connect, and when it said that they changed. */
  readonly onTools: (config: ServerConfig, tools: readonly ListedTool[]) => void;
  /** The same for what it offers besides tools. */
  readonly onFeatures?: (config: ServerConfig, features: ServerFeatures) => void;
  /**
   * An installed server told something that belongs to no call. `sessionId`: it is for that session only, which alone
   * has used the connection; log messages are always for one.
   */
  readonly onUnsolicited?: (
    server: string,
    notification: UnsolicitedNotification,
    sessionId: string | undefined,
  ) => void;
  /** Absent: nobody can be asked outside of calls. */
  readonly clients?: SessionClients;
  /** `status(name)` is another one now. */
  readonly onStatus: (name: string) => void;
  /** How long the calls of a container may take to finish before another one serves on its data, ms. */
  readonly drainMs?: number;
  /** Monotonic milliseconds; deadlines are judged by it, whatever becomes of the time of day. */
  readonly now?: () => number;
  /** Milliseconds since 1970. */
  readonly wallClock?: () => number;
  /** Of this program, told to servers. */
  readonly clientVersion?: string;
  /** By which other gateways know us. */
  readonly gatewayId?: () => string;
}
