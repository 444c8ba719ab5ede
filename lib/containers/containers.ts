/**
 * Everything that the service needs of a container engine. Only containers of this deployment are read or changed: they
 * carry its label, and are addressed by the id that `create` returned, never by a name.
 *
 * Errors: `engineUnavailable` (provision_failed, 503, step `engine`) when the engine does not answer; otherwise the
 * failures named at each function. The engine's own texts go to the log, not to callers.
 */
export interface Containers {
  /** Undefined when the engine answers, else a sentence that says why not. Never rejects; answers within 2 s. */
  problem(): Promise<string | undefined>;
  /**
   * Pulls the image with the credentials that are stored for its registry. Rejects with provision_failed, step `pull`:
   * 422 for an unknown image or tag, 502 when the registry refuses, is unreachable or breaks off; an earlier local
   * image then stays. `present-image.ts` decides whether to pull.
   */
  pull(image: string, onProgress: (progress: PullProgress) => void, signal: AbortSignal): Promise<void>;
  /** Facts of a local image, by reference or id; undefined when the image is not on this engine. */
  image(image: string): Promise<ImageFacts | undefined>;
  /**
   * The current digest (`sha256:…`) of this reference at the registry, requested with the credentials that are stored
   * for the registry; nothing is pulled. Rejects as `pull` does, within 20 s.
   */
  registryDigest(image: string): Promise<string>;
  /**
   * Creates a container with the hardened defaults, not started, restart policy `no`. Resolves with its id. The
   * container is named `nameAside` when a container of another owner has the name. Fails with `conflict` and
   * `details.container_name` when a container of ours has the name, and with provision_failed (422, step `start`) when
   * the engine refuses the spec.
   */
  create(spec: ContainerSpec): Promise<string>;
  /** Accepts a running container. Fails with provision_failed (422, step `start`), such as for a missing program. */
  start(id: string): Promise<void>;
  /** Resolves also when the container is not running or gone. */
  stop(id: string, graceSeconds?: number): Promise<void>;
  /** Kills the container if it runs. Resolves also when it is gone. All its volumes stay, unnamed ones too. */
  remove(id: string): Promise<void>;
  /** Paths in the container's writable layer, outside of mounts, that differ from its image; none when it is gone. */
  changes(id: string): Promise<readonly string[]>;
  /** Whether `create` would make this container of `spec`, apart from name and labels. Returns no values. */
  isMadeLike(id: string, spec: ContainerSpec): Promise<boolean>;
  /**
   * From now on exactly these images carry a tag of ours for this server, which protects them from `docker image
   * prune`. An image that is not on this engine is skipped; an image left without tags and containers is removed.
   */
  keepImages(server: string, imageIds: readonly string[]): Promise<void>;
  /** Resolves with the volume's name, which is `nameAside` when a volume of another owner has the other name. */
  createVolume(volume: VolumeSpec): Promise<string>;
  volume(name: string): Promise<VolumeFacts | undefined>;
  /** The volumes of this deployment, except those that the engine named itself. */
  volumes(): Promise<readonly VolumeFacts[]>;
  /** Resolves also when the volume is gone. Fails with `conflict` while a container uses it. */
  removeVolume(name: string): Promise<void>;
  /** From now on the engine itself restarts the container after a crash or after the engine's own restart. */
  keepRunning(id: string): Promise<void>;
  inspect(id: string): Promise<ContainerFacts | undefined>;
  /** All containers of this deployment, running or not; fields that only `inspect` reads are undefined. */
  list(): Promise<readonly ContainerFacts[]>;
  /** Does not disturb a running container. A name that is in use is handled as by `create`. */
  rename(id: string, name: string): Promise<void>;
  /** Called before `start`, to miss no output, or for a running container. Each attachment gets all output. */
  attach(id: string): Promise<Attachment>;
  /** The last lines; empty when the container is gone. The lines are raw and may hold secrets. */
  logs(id: string, tail: number, stream: LogStream): Promise<readonly string[]>;
  /** Lines from now on, until `signal` aborts or the container stops or is gone. */
  followLogs(
    id: string,
    stream: LogStream,
    onLine: (line: string) => void,
    signal: AbortSignal,
  ): Promise<void>;
  /**
   * Calls `onEvent` for every event of our containers. Reconnects with capped back-off until `signal` aborts; `onGap`
   * runs when events begin to be missed and when they arrive again.
   */
  follow(onEvent: (event: ContainerEvent) => void, onGap: () => void, signal: AbortSignal): void;
}

/**
 * `besides-protocol`: for stdio servers, whose standard output is the protocol and is never shown (`stray-output.ts`).
 */
export type LogStream = 'besides-protocol' | 'all';

export interface PullProgress {
  /** Over all layers that need loading; undefined while their sizes are unknown. */
  readonly percent: number | undefined;
  readonly layers: { readonly done: number; readonly total: number };
}

export interface ImageFacts {
  /**
   * Identifies the image on this engine only: the digest of a config, manifest or index, by the engine's image store.
   */
  readonly id: string;
  /** TCP ports that the image exposes. */
  readonly ports: readonly number[];
  /** Paths that the image declares as volumes. */
  readonly volumes: readonly string[];
  /**
   * The image's names at registries: `repository@sha256:…`. An image that was built here and never pushed has none, or,
   * on an engine with containerd's image store, one that no registry knows (github.com/moby/moby/issues/48747).
   */
  readonly digests: readonly string[];
}

/** The engine's own words, which are the `status` of a server (docs/api.md, Records). */
export type EngineStatus = 'created' | 'running' | 'paused' | 'restarting' | 'removing' | 'exited' | 'dead';

export interface ContainerFacts {
  readonly id: string;
  readonly name: string;
  /** From our labels. */
  readonly server: string;
  /** The MCP session it belongs to, for stateful servers. */
  readonly sessionId: string | undefined;
  readonly configHash: string;
  /** The image the container was created from: a reference or an id. */
  readonly image: string;
  /** The image's name in the server's config. */
  readonly reference: string;
  readonly imageId: string;
  readonly status: EngineStatus;
  readonly exitCode: number | undefined;
  /** The kernel killed a process of the container for lack of memory. */
  readonly outOfMemory?: boolean;
  readonly startedAt: Date | undefined;
  /** HTTP servers: the port inside the container. */
  readonly port: number | undefined;
  /** TCP ports that the image exposes, and `port`. */
  readonly exposedPorts?: readonly number[];
  /** Volumes, including those that the engine made for the container, and bind mounts. */
  readonly mounts: readonly ContainerMount[];
  /** The address at which this process reaches the HTTP port, such as `127.0.0.1:32768`; changes with every start. */
  readonly address: string | undefined;
}

export interface ContainerSpec {
  readonly name: string;
  readonly server: string;
  readonly sessionId?: string;
  readonly configHash: string;
  /** The image to create the container from: a reference or an id. */
  readonly image: string;
  /** The image's name in the config. */
  readonly reference: string;
  readonly command: readonly string[];
  /** Resolved values. They are sent to the engine in the request's body, never in a URL, label or command line. */
  readonly env: Readonly<Record<string, string>>;
  readonly limits: { readonly memoryMb: number; readonly cpus: number; readonly pids: number };
  readonly network: 'bridge' | 'none';
  readonly readOnly: boolean;
  readonly user: string | undefined;
  /** HTTP servers: the port inside the container. */
  readonly port: number | undefined;
  /** Undefined: the image's own. */
  readonly entrypoint: readonly string[] | undefined;
  /** Size of /dev/shm; undefined: the engine's default. */
  readonly shmMb: number | undefined;
  /** The capabilities to retain; all others are dropped. */
  readonly capabilities: readonly string[];
  readonly mounts: readonly ContainerMount[];
}

/** A folder of the host or a volume of the engine, inside a container. */
export interface ContainerMount {
  readonly type: 'volume' | 'bind';
  /** The volume's name, or the path on the engine's host. */
  readonly source: string;
  /** The path inside the container. */
  readonly path: string;
  readonly readOnly: boolean;
}

/** Labels of every volume that we create. */
export interface VolumeSpec {
  readonly name: string;
  readonly server: string;
  readonly sessionId: string | undefined;
}

export interface VolumeFacts extends VolumeSpec {
  /** By its labels, the volume belongs to this deployment. */
  readonly isOurs: boolean;
}

/**
 * stdin and the demultiplexed output of a container's main process. No data flows before the first handler is
 * registered; register all handlers in one turn.
 */
export interface Attachment {
  /** False when the process does not read fast enough; the sender then waits for `onDrain`. */
  write(text: string): boolean;
  onStdout(handler: (chunk: Uint8Array) => void): void;
  onStderr(handler: (chunk: Uint8Array) => void): void;
  onDrain(handler: () => void): void;
  /** The process ended, or the engine closed the connection. */
  onEnd(handler: () => void): void;
  /** Detaches; the container continues to run. */
  detach(): void;
}

export interface ContainerEvent {
  readonly id: string;
  readonly server: string;
  /** `stop` follows `die` after a `docker stop`, by a person or by this service. */
  readonly action: 'start' | 'die' | 'stop' | 'kill' | 'destroy' | 'oom' | 'restart' | 'pause' | 'unpause';
  readonly exitCode: number | undefined;
  /** The signal's number, for `kill` events, which the engine sends for any signal. */
  readonly signal?: number;
}
