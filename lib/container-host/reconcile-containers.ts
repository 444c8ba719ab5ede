import type { Limiter } from '../async/limiter.ts';
import type { Catalog, StoredServer } from '../catalog/catalog.ts';
import type { Containers } from '../containers/containers.ts';
import type { ImageUpdates } from '../containers/images/image-updates.ts';
import type { ContainerStore } from '../containers/store/container-store.ts';
import { toFailure } from '../failure.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../observe/metrics.ts';
import type { Upstreams } from '../upstreams/upstreams.ts';

/**
 * Compares the servers that are registered with an image to the containers that the engine has: removes containers that
 * no server needs, starts missing ones, and looks for newer images. A broken connection is reopened at once by its own
 * supervision; the reconciler finds containers without a connection. A container that was stopped by hand stays stopped,
 * except when this process has just become the owner.
 */
export interface ContainerReconcilerDependencies {
  readonly containers: Pick<Containers, 'problem'>;
  readonly containerStore: Pick<ContainerStore, 'reap' | 'status' | 'pinFound'>;
  readonly catalog: Pick<Catalog, 'servers'>;
  readonly upstreams: Pick<Upstreams, 'connect' | 'status'>;
  readonly updates: Pick<ImageUpdates, 'poll'>;
  /** Servers with an operation under way; the reconciler leaves their containers to that operation. */
  readonly busyNames: () => readonly string[];
  readonly isSession: (id: string) => Promise<boolean>;
  readonly starts: Limiter;
  readonly metrics: Pick<Metrics, 'countRepair'>;
  readonly log: Log;
}

export interface ContainerReconciler {
  /**
   * Resolves with false when the engine did not answer. Does not wait for servers to start.
   * @param isFirst This process has just become the owner: every container that should run is started.
   */
  reconcile(isFirst: boolean): Promise<boolean>;
}

export function createContainerReconciler(deps: ContainerReconcilerDependencies): ContainerReconciler {
  const { containerStore, upstreams, log, metrics } = deps;

  async function reap(servers: readonly StoredServer[]): Promise<void> {
    const listed = new Set([...servers.map(({ name }) => name), ...deps.busyNames()]);
    for (const container of await containerStore.reap(listed, deps.isSession)) {
      metrics.countRepair('reaped');
      log.info({ container }, 'Removed a container or volume that belongs to no server.');
    }
  }

  /** For servers that were registered by an earlier version, or by a file. */
  async function pin(config: StoredServer['config']): Promise<void> {
    await containerStore.pinFound(config).catch((error: unknown) => {
      const reason = toFailure(error).message;
      log.warn({ server: config.name, reason }, 'The image of a server could not be written down.');
    });
  }

  async function connect(name: string): Promise<void> {
    try {
      await deps.starts(() => upstreams.connect(name));
      metrics.countRepair('reconnected');
      log.info({ server: name }, 'The server had no connection to its container; it has one again.');
    } catch {
      // Its status and the log show the reason, and its supervision retries.
    }
  }

  /** An idle connection was never opened, was idle too long, or was stopped on purpose. */
  function isMissed({ name, config }: StoredServer, isFirst: boolean): boolean {
    if (config.sessionMode === 'stateful' || upstreams.status(name)?.state !== 'idle') return false;
    const { status } = containerStore.status(name);
    if (status === 'running' || status === 'restarting') return true;
    if (isFirst) return true;
    return status === 'not found' && config.timeouts.idleStopSeconds === 0;
  }

  return {
    async reconcile(isFirst) {
      if ((await deps.containers.problem()) !== undefined) return false;
      const servers = deps.catalog.servers().filter(({ config }) => config.image !== undefined);
      await reap(servers).catch((error: unknown) => {
        log.warn({ reason: toFailure(error).message }, 'Containers that nobody needs could not be removed.');
      });
      const isBusy = new Set(deps.busyNames());
      const free = servers.filter(({ name }) => !isBusy.has(name));
      for (const { config } of free) await pin(config);
      for (const server of free) if (isMissed(server, isFirst)) void connect(server.name);
      await deps.updates.poll(free);
      return true;
    },
  };
}
