/**
 * What the service needs of a container engine, and nothing else of it. Only containers of this deployment are ever
 * seen or touched: they carry its label, and are addressed by the id that `create` returned, never by a name.
 *
 * Errors: `engineUnavailable` (provision_failed, 503, step `engine`) when the engine does not answer; otherwise the
 * failures named at each function. What the engine says goes to the log, not to callers.
 */
export interface Containers {
  /** Undefined: the engine answers; else why not, in a sentence. Never rejects; answers within 2 s. */
  problem(): Promise<string | undefined>;
  /**
   * Asks the registry for the image, with the credentials that are stored for it, and brings here what is not. Rejects
   * with provision_failed, step `pull`: 422 image or tag unknown, 502 the registry refuses, is unreachable or breaks off;
   * an image that was here before still is. Whether to ask, and what to do then, `pullAsTold` knows.
   */
  pull(image: string, onProgress: (progress: PullProgress) => void, signal: AbortSignal): Promise<void>;
  /** Facts of a local image, by reference or id; undefined when it is not here. */
  image(image: string): Promise<ImageFacts | undefined>;
  /**
   * The digest (`sha256:…`) that the registry has for this reference now, asked with the credentials that are stored for
   * it; nothing is pulled. Rejects as `pull` does, within 20 s.
   */
  registryDigest(image: string): Promise<string>;
  /**
   * Creates a container with the hardened defaults, not started, restart policy `no`. Resolves with its id. Where one that
   * is not of this deployment has the name, it is called `nameAside`. Fails with `conflict` and `details.container_name`
   * when one of ours has the name, and with provision_failed (422, step `start`) when the engine refuses the spec.
   */
  create(spec: ContainerSpec): Promise<string>;
  /** Fine when it runs. Fails with provision_failed (422, step `start`), for instance when its program is missing. */
  start(id: string): Promise<void>;
  /** Fine when it is not running or gone. */
  stop(id: string, graceSeconds?: number): Promise<void>;
  /** Stops it hard if it runs. Fine when it is gone. Its volumes stay, those without a name too. */
  remove(id: string): Promise<void>;
  /** Paths in its writable layer that differ from its image, outside of mounts; none when it is gone. */
  changes(id: string): Promise<readonly string[]>;
  /**
   * Whether this container is what `create` would make of `spec`, but for its name and labels. Values are compared by
   * the engine's side alone and go nowhere.
   */
  isMadeLike(id: string, spec: ContainerSpec): Promise<boolean>;
  /**
   * From now on exactly these images carry a tag of ours for this server, so that tidying up leaves them alone. One that
   * is not here is left out; one that no longer has any tag, and that no container is made from, goes.
   */
  keepImages(server: string, imageIds: readonly string[]): Promise<void>;
  /**
   * Fine when it exists. Resolves with its name, which is `nameAside` where a volume that is not of this deployment has the
   * other.
   */
  createVolume(volume: VolumeSpec): Promise<string>;
  volume(name: string): Promise<VolumeFacts | undefined>;
  /** The volumes of this deployment; those that the engine named itself are not among them. */
  volumes(): Promise<readonly VolumeFacts[]>;
  /** Fine when it is gone. Fails with `conflict` while a container has it. */
  removeVolume(name: string): Promise<void>;
  /** From now on the engine itself starts it again after a crash or its own restart. */
  keepRunning(id: string): Promise<void>;
  inspect(id: string): Promise<ContainerFacts | undefined>;
  /** All containers of this deployment, running or not; what only `inspect` knows is left undefined. */
  list(): Promise<readonly ContainerFacts[]>;
  /** A running one is not disturbed. Where the name is taken: as with `create`. */
  rename(id: string, name: string): Promise<void>;
  /** Before `start`, so that nothing is missed; also to a running one. Everybody attached gets all output. */
  attach(id: string): Promise<Attachment>;
  /** The last lines; empty when it is gone. As the server wrote them: they may hold secrets. */
  logs(id: string, tail: number, stream: LogStream): Promise<readonly string[]>;
  /** Lines from now on, until `signal` aborts or the container is gone or stops. */
  followLogs(
    id: string,
    stream: LogStream,
    onLine: (line: string) => void,
    signal: AbortSignal,
  ): Promise<void>;
  /**
   * Calls `onEvent` for every event of our containers. Reconnects with capped back-off for as long as `signal` lives;
   * `onGap` runs when events begin to be missed and when they flow again.
   */
  follow(onEvent: (event: ContainerEvent) => void, onGap: () => void, signal: AbortSignal): void;
}

/** `besides-protocol`: of stdio servers, whose standard output is the protocol, and never shown (`stray-output.ts`). */
export type LogStream = 'besides-protocol' | 'all';

export interface PullProgress {
  /** Of all layers that need loading; undefined while their sizes are unknown. */
  readonly percent: number | undefined;
  readonly layers: { readonly done: number; readonly total: number };
}

export interface ImageFacts {
  /** Names it for the engine, nothing more: the digest of a config, a manifest or an index, as the engine stores images. */
  readonly id: string;
  /** Ports the image exposes, TCP only. */
  readonly ports: readonly number[];
  /** Paths that the image declares as volumes. */
  readonly volumes: readonly string[];
  /**
   * What registries call it: `repository@sha256:…`. One that was built here and never pushed has none, or, on an engine with
   * containerd's image store, one that no registry knows (github.com/moby/moby/issues/48747).
   */
  readonly digests: readonly string[];
}

/** The engine's own words (contract section 1, `status`). */
export type EngineStatus = 'created' | 'running' | 'paused' | 'restarting' | 'removing' | 'exited' | 'dead';

export interface ContainerFacts {
  readonly id: string;
  readonly name: string;
  /** From our labels. */
  readonly server: string;
  /** The MCP session it belongs to, for stateful servers. */
  readonly sessionId: string | undefined;
  readonly configHash: string;
  /** What it was created from: a reference or an id. */
  readonly image: string;
  /** What its config calls the image. */
  readonly reference: string;
  readonly imageId: string;
  readonly status: EngineStatus;
  readonly exitCode: number | undefined;
  /** The kernel ended a process of it for want of memory. */
  readonly outOfMemory?: boolean;
  readonly startedAt: Date | undefined;
  /** HTTP servers: the port inside. */
  readonly port: number | undefined;
  /** TCP ports that its image exposes, and `port`. */
  readonly exposedPorts?: readonly number[];
  /** Volumes (those that the engine made for it too) and bind mounts. */
  readonly mounts: readonly ContainerMount[];
  /** Where its HTTP port is reached from here, such as `127.0.0.1:32768`; changes with every start. */
  readonly address: string | undefined;
}

export interface ContainerSpec {
  readonly name: string;
  readonly server: string;
  readonly sessionId?: string;
  readonly configHash: string;
  /** What the container is made from: a reference or an id. */
  readonly image: string;
  /** What its config calls that. */
  readonly reference: string;
  readonly command: readonly string[];
  /** Resolved values. They go to the engine in the request's body, never into a URL, label or command line. */
  readonly env: Readonly<Record<string, string>>;
  readonly limits: { readonly memoryMb: number; readonly cpus: number; readonly pids: number };
  readonly network: 'bridge' | 'none';
  readonly readOnly: boolean;
  readonly user: string | undefined;
  /** HTTP servers: the port inside. */
  readonly port: number | undefined;
  /** The image's own, unless given. */
  readonly entrypoint: readonly string[] | undefined;
  /** Size of /dev/shm; undefined: the engine's default. */
  readonly shmMb: number | undefined;
  /** Those it keeps; all others are dropped. */
  readonly capabilities: readonly string[];
  readonly mounts: readonly ContainerMount[];
}

/** A folder of the host or a volume of the engine, inside a container. */
export interface ContainerMount {
  readonly type: 'volume' | 'bind';
  /** The volume's name, or the path on the engine's host. */
  readonly source: string;
  /** Inside. */
  readonly path: string;
  readonly readOnly: boolean;
}

/** Every volume that we make carries these as labels. */
export interface VolumeSpec {
  readonly name: string;
  readonly server: string;
  readonly sessionId: string | undefined;
}

export interface VolumeFacts extends VolumeSpec {
  /** From its labels: it is one of this deployment. */
  readonly isOurs: boolean;
}

/**
 * stdin and the demultiplexed output of a container's own process. Nothing flows before the first handler is given;
 * give all of them in one turn.
 */
export interface Attachment {
  /** False: the process does not read fast enough; wait for `onDrain`. */
  write(text: string): boolean;
  onStdout(handler: (chunk: Uint8Array) => void): void;
  onStderr(handler: (chunk: Uint8Array) => void): void;
  onDrain(handler: () => void): void;
  /** The process ended, or the engine let go. */
  onEnd(handler: () => void): void;
  /** Lets go; the container runs on. */
  detach(): void;
}

export interface ContainerEvent {
  readonly id: string;
  readonly server: string;
  /** `stop` is somebody's `docker stop` or our own; it follows `die`. */
  readonly action: 'start' | 'die' | 'stop' | 'kill' | 'destroy' | 'oom' | 'restart' | 'pause' | 'unpause';
  readonly exitCode: number | undefined;
  /** Its number, of a `kill`, which is what any signal is called. */
  readonly signal?: number;
}
