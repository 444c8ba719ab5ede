import type { ServerConfig } from '../../config/server-config.ts';
import type { ClosePurpose } from '../../upstreams/transports/transport.ts';
import type { ContainerFacts } from '../containers.ts';
import type { ContainerData, RemovedData } from './container-data.ts';
import type { RunEnd } from './stop-detector.ts';

/**
 * Which container belongs to which server: stored in the database by id, checked against the engine. A server (or an MCP
 * session of a stateful one) has one container, whatever happens to the engine or this service meanwhile; while a
 * container is replaced there are two, until the older one has finished its calls.
 */
export interface ContainerStore extends ContainerData {
  /** Reads the stored rows and begins to follow the engine. The schema must exist; the engine may be away. */
  start(): Promise<void>;
  /**
   * The container for this config, created when there is none or when it was made for another config, other values of
   * its variables or another image; not started. A container with files outside of volumes is kept and returned, unless
   * a request allowed to discard them (`beginReplacing`). A leased container stays with its connection, and another is created.
   * Concurrent calls for one server share one creation. `config` has its references resolved. Rejects as `Containers`
   * does, with `conflict` when a container or volume that is not ours has the name, or when two containers would share
   * one server's data, and with `data_at_risk` when another image wrote the existing data.
   */
  ensure(config: ServerConfig, sessionId?: string): Promise<ContainerFacts>;
  /** As `ensure`, leased to one connection until released: no other attaches to the container, and it is not reaped. */
  acquire(config: ServerConfig, sessionId?: string): Promise<LeasedContainer>;
  /**
   * A request that may replace the server's container has begun; the returned function ends it.
   * @param mayDiscard The container's files outside of volumes may be lost.
   */
  beginReplacing(server: string, mayDiscard: boolean): () => void;
  /** Why the server's container does not fit its config, in a sentence. */
  problem(server: string): string | undefined;
  /**
   * Assigns the server's volumes, written by another image, to this config. Resolves with a function that undoes this.
   */
  inherit(config: ServerConfig): Promise<() => Promise<void>>;
  /** Records the image and the volumes of a container that an earlier version made without such rows. */
  pinFound(config: ServerConfig): Promise<void>;
  /**
   * The engine's state of the server's container; `not found` when there is none, `unknown` while the engine is away.
   */
  status(server: string): ContainerState;
  /** Stops the container without removing it, and marks the stop as ours so that nothing restarts it. */
  stop(server: string): Promise<void>;
  /** Stops and removes every container and volume of the server, and deletes their rows and the image's pin. */
  remove(server: string): Promise<RemovedData>;
  /**
   * Removes containers and volumes with our label that no connection leases and no listed server or living session
   * owns, and surplus ones. Containers of a server that is not listed, but has a pin, are only stopped. Resolves with
   * the names removed. Servers being provisioned must be listed.
   */
  reap(listed: ReadonlySet<string>, isSession?: (id: string) => Promise<boolean>): Promise<readonly string[]>;
  /** The server's output besides its protocol, secrets redacted. */
  logs(server: string, tail: number): Promise<readonly string[]>;
  followLogs(server: string, onLine: (line: string) => void, signal: AbortSignal): Promise<void>;
  /** Stops following the engine; containers run on. */
  close(): Promise<void>;
}

export interface LeasedContainer {
  /** The time of the acquisition. */
  readonly facts: ContainerFacts;
  /**
   * After the process has ended: true when it was stopped on purpose (`docker stop`, or by us), so that the container is
   * not restarted before it is needed. Takes a moment: the engine's `stop` event follows the end.
   */
  staysDown(): Promise<boolean>;
  /** How the last run that ended since `acquire` ended, as far as the engine reported it. */
  lastEnd?(): RunEnd | undefined;
  /** The server has answered: the container that it replaces is removed. */
  answered(): void;
  /** The connection has detached; resolves once the container is in the state that `purpose` asks for. */
  release(purpose: ClosePurpose): Promise<void>;
}

export interface ContainerState {
  readonly name: string;
  readonly status: ContainerFacts['status'] | 'not found' | 'unknown';
  readonly running: boolean;
  readonly imageId: string | undefined;
}
