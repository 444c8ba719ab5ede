import type { ServerConfig } from '../catalog/server-config.ts';
import type { ContainerFacts } from './containers.ts';

/**
 * Which container belongs to which server: stored in the database by id, checked against the engine. One container per
 * server (or per MCP session of a stateful one), whatever happens to it, to the engine or to us in between.
 */
export interface ContainerKeeper {
  /**
   * The container for this config, created when there is none or when it was made for another config or image; not
   * started. Concurrent calls for one server share one creation. `config` has its references resolved.
   */
  ensure(config: ServerConfig, sessionId?: string): Promise<ContainerFacts>;
  /** What the engine says of the server's container now; `not found` when there is none, `unknown` without engine. */
  status(server: string): ContainerState;
  /** Stops it; it stays. Its end is ours, so nobody heals it. */
  stop(server: string): Promise<void>;
  /** Stops and removes every container of the server, and forgets them. */
  remove(server: string): Promise<void>;
  /** Removes what carries our label and belongs to no listed server or session (boot and timer). */
  reap(listed: ReadonlySet<string>): Promise<readonly string[]>;
  logs(server: string, tail: number): Promise<readonly string[]>;
  followLogs(server: string, onLine: (line: string) => void, signal: AbortSignal): Promise<void>;
}

export interface ContainerState {
  readonly name: string;
  readonly status: ContainerFacts['status'] | 'not found' | 'unknown';
  readonly running: boolean;
  readonly imageId: string | undefined;
}
