import type { Catalog } from '../catalog/catalog.ts';
import type { Bus } from '../events/bus.ts';
import type { Log } from '../log.ts';
import type { Upstreams } from './upstreams.ts';

/**
 * Keeps the connections in step with the stored servers, in a process without the manager's part: there are no config
 * files to reconcile, and every stored server may be called.
 */
export function followCatalog(
  catalog: Pick<Catalog, 'servers' | 'server'>,
  upstreams: Pick<Upstreams, 'install' | 'remove'>,
  bus: Pick<Bus, 'subscribe'>,
): void {
  const installed = new Map<string, string>();

  function follow(name: string): void {
    const config = catalog.server(name)?.config;
    const content = config && JSON.stringify(config);
    if (content === installed.get(name)) return;
    if (config === undefined || content === undefined) {
      installed.delete(name);
      void upstreams.remove(name);
    } else {
      installed.set(name, content);
      upstreams.install(config);
    }
  }

  for (const { name } of catalog.servers()) follow(name);
  bus.subscribe((busMessage) => {
    if (busMessage.type === 'tools') follow(busMessage.name);
  });
}

export interface FollowRestartsDependencies {
  readonly catalog: Pick<Catalog, 'server'>;
  readonly upstreams: Pick<Upstreams, 'restart' | 'status'>;
  readonly bus: Pick<Bus, 'subscribe'>;
  readonly log: Log;
}

/**
 * A server that is restarted at one process is restarted at every process that has a child process or connection of its
 * own to it, since agents may be served by any of them. A container exists once, and only its owner restarts it.
 */
export function followRestarts({ catalog, upstreams, bus, log }: FollowRestartsDependencies): void {
  bus.subscribe(({ type, name }, origin) => {
    if (type !== 'restart' || origin !== 'remote') return;
    const config = catalog.server(name)?.config;
    const isRunning = (upstreams.status(name)?.state ?? 'idle') !== 'idle';
    if (config === undefined || config.image !== undefined || !isRunning) return;
    upstreams
      .restart(name)
      .catch(({ message }) => log.warn({ server: name, reason: message }, 'restart failed here'));
  });
}

/** A client reports changed roots to one process; its servers may be connected to every other process too. */
export function shareRootChanges(upstreams: Upstreams, bus: Pick<Bus, 'subscribe' | 'publish'>): Upstreams {
  bus.subscribe(({ type, name }) => {
    if (type === 'roots_changed') upstreams.rootsChanged(name);
  });
  return {
    ...upstreams,
    rootsChanged: (sessionId) => bus.publish({ type: 'roots_changed', name: sessionId }),
  };
}
