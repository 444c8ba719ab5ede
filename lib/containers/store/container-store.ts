import type { ServerConfig } from '../../config/server-config.ts';
import type { ClosePurpose } from '../../upstreams/transports/transport.ts';
import type { ContainerFacts } from '../containers.ts';
import type { ContainerData, RemovedData } from './container-data.ts';
import type { RunEnd } from './stop-detector.ts';

/**
 * Which container belongs to which server: stored in the database by id, checked against the engine. One container per
 * server (or per MCP session of a stateful one), whatever happens to it, to the engine or to us in between. Only while
 * a server is replaced there are two, until the older one has finished its calls.
 */
export interface ContainerStore extends ContainerData {
  /** Reads what is stored and begins to watch the engine. The schema must be there; the engine need not. */
  start(): Promise<void>;
  /**
   * The container for this config, created when there is none or when it was made for another config, other values of
   * its variables or another image; not started. One that keeps files outside of volumes stays, and is what this resolves
   * with, unless somebody said that they may go (`asked`). One that a connection holds is left to it and another is
   * created. Concurrent calls for one server share one creation. `config` has its references resolved. Rejects as
   * `Containers` does, with `conflict` when a container or volume that is not ours has the name, or when two would be on
   * one server's data, and with `data_at_risk` when another image wrote what is kept.
   */
  ensure(config: ServerConfig, sessionId?: string): Promise<ContainerFacts>;
  /** The same, held for one connection until it is released: nobody else attaches to it, and it is not reaped. */
  acquire(config: ServerConfig, sessionId?: string): Promise<LeasedContainer>;
  /**
   * Somebody asked for what may replace the server's container, until the returned function is called.
   * @param mayDiscard What it keeps outside of volumes may be lost.
   */
  asked(server: string, mayDiscard: boolean): () => void;
  /** Why its container is not the one that its config asks for, in a sentence. */
  problem(server: string): string | undefined;
  /** What the server keeps in volumes is this config's from now on, whatever image wrote it; resolves with the way back. */
  inherit(config: ServerConfig): Promise<() => Promise<void>>;
  /** Writes down the image and the volumes of a container that was made before such things were written down. */
  pinFound(config: ServerConfig): Promise<void>;
  /** What the engine says of the server's container now; `not found` when there is none, `unknown` without engine. */
  status(server: string): ContainerState;
  /** Stops it; it stays. Its end is ours, so nobody heals it. */
  stop(server: string): Promise<void>;
  /** Stops and removes every container and volume of the server, and forgets them and its image. */
  remove(server: string): Promise<RemovedData>;
  /**
   * Removes what carries our label, is held by no connection, and belongs to no listed server or living session, or is
   * one too many (boot and timer); volumes too. What belongs to a server that is not listed, but has a pin, is stopped and
   * kept. Resolves with the names removed. Servers being provisioned must be listed.
   */
  reap(listed: ReadonlySet<string>, isSession?: (id: string) => Promise<boolean>): Promise<readonly string[]>;
  /** What the server wrote besides its protocol, secrets blotted out. */
  logs(server: string, tail: number): Promise<readonly string[]>;
  followLogs(server: string, onLine: (line: string) => void, signal: AbortSignal): Promise<void>;
  /** Ends the watching; containers run on. */
  close(): Promise<void>;
}

export interface LeasedContainer {
  /** When it was acquired. */
  readonly facts: ContainerFacts;
  /**
   * To be asked when its process ended: true when somebody stopped it on purpose (`docker stop`, or we), so that it
   * is not to be brought back before it is needed. Takes a moment: what tells comes after the end.
   */
  staysDown(): Promise<boolean>;
  /** How the last run ended that ended since it was acquired, as far as the engine told. */
  lastEnd?(): RunEnd | undefined;
  /** It works: what it replaces goes. */
  answered(): void;
  /** Nobody is attached any more; resolves once the container is in the state that `purpose` asks for. */
  release(purpose: ClosePurpose): Promise<void>;
}

export interface ContainerState {
  readonly name: string;
  readonly status: ContainerFacts['status'] | 'not found' | 'unknown';
  readonly running: boolean;
  readonly imageId: string | undefined;
}
