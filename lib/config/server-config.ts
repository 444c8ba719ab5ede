/**
 * A registration config as the code uses it (`configs/<name>.json`; docs/api.md, Server configs); only
 * `parse-server-config.ts` knows the snake_case form of the file. Strings may still hold `${NAME}` references.
 */
export interface ServerConfig {
  readonly name: string;
  readonly transport: 'stdio' | 'streamable_http' | 'sse';
  readonly description: string;
  /** stdio: the program and its arguments, started without a shell. */
  readonly command: string | undefined;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Relative paths count from the service's working directory. */
  readonly cwd: string | undefined;
  /** Runs in a container of this image instead of on this host. */
  readonly image: string | undefined;
  /** The image's own, unless given. */
  readonly entrypoint: readonly string[] | undefined;
  /** When to ask the registry for the image. `always` falls back to the local one, with a warning. */
  readonly pull: PullPolicy;
  /**
   * Of a candidate: the id of the image to make the container from, instead of the tag's and the pinned one. Never in the
   * file.
   */
  readonly imageId?: string;
  /** A try-out beside the serving container: on data of its own, which is removed with it. Never in the file. */
  readonly isTryOut?: boolean;
  readonly port: number | undefined;
  readonly path: string | undefined;
  /** streamable_http and sse: where the server listens. */
  readonly url: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly bearerToken: string | undefined;
  readonly sessionMode: 'stateless' | 'stateful';
  /** In effect. */
  readonly timeouts: ServerTimeouts;
  /** The timeouts that the config sets itself; defaults of this service must not get into its file. */
  readonly givenTimeouts: Partial<ServerTimeouts>;
  readonly limits: ServerLimits;
  readonly network: 'bridge' | 'none';
  readonly readOnly: boolean;
  readonly user: string | undefined;
  /** Besides the volumes that the image declares. */
  readonly volumes: readonly ServerVolume[];
  /** Size of /dev/shm; undefined: the engine's default. */
  readonly shmMb: number | undefined;
  /** Linux capabilities that the container keeps, without `CAP_`; all others are dropped. */
  readonly capabilities: readonly string[];
}

export type PullPolicy = 'always' | 'missing' | 'never';

/** A folder of a container that outlives the container. */
export interface ServerVolume {
  /** Inside, absolute. */
  readonly path: string;
  /**
   * Undefined: a volume of the server's own, which is removed with the server. With `/` at its start a path of the
   * engine's host (a bind mount); otherwise the name of a foreign volume. Neither of these is ever removed.
   */
  readonly source: string | undefined;
  readonly readOnly: boolean;
}

export interface ServerTimeouts {
  /** From the start of a connection to its tool list. */
  readonly startMs: number;
  /** Of one call; each progress notification restarts it. */
  readonly callMs: number;
  /** Of one call, progress or not. */
  readonly callCapMs: number;
  /** Idle seconds after which the server is stopped until the next call; 0: never. */
  readonly idleStopSeconds: number;
}

export interface ServerLimits {
  /** Calls in flight on one connection. */
  readonly calls: number;
  /** Calls that may wait for a free place; one more is refused with `too_many_requests`. */
  readonly queue: number;
  /** One line from a stdio server. */
  readonly lineBytes: number;
  /** One answer from an HTTP server. */
  readonly responseBytes: number;
  /** Upstream connections of a stateful server, one per MCP session. */
  readonly sessions: number;
  readonly memoryMb: number;
  readonly cpus: number;
  readonly pids: number;
}

/** Of fields that a config may leave out. */
export const defaultFields = {
  description: '',
  sessionMode: 'stateless',
  network: 'bridge',
  readOnly: false,
  pull: 'always',
} as const satisfies Partial<ServerConfig>;

/** Of an HTTP server in a container. */
export const defaultPath = '/mcp';

/** `callMs` and `callCapMs` while the service's `CALL_TIMEOUT_MS` does not say otherwise. */
export const defaultTimeouts: ServerTimeouts = {
  startMs: 30_000,
  callMs: 60_000,
  callCapMs: 600_000,
  idleStopSeconds: 0,
};

export const defaultLimits: ServerLimits = {
  calls: 32,
  queue: 256,
  lineBytes: 10_485_760,
  responseBytes: 16_777_216,
  sessions: 16,
  memoryMb: 512,
  cpus: 1,
  pids: 256,
};
