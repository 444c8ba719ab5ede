import type { Catalog } from '../catalog/catalog.ts';
import type { Bus } from '../events/bus.ts';
import type { Log } from '../log.ts';
import type { Upstreams } from './upstreams.ts';

/**
 * Keeps the connections in step with the stored servers, in a process without the manager's part: it has no config
 * files to reconcile, and what the manager stored is what it may call (architecture section 5).
 */
export function followCatalog(
  catalog: Pick<Catalog, 'servers' | 'server'>,
  upstreams: Pick<Upstreams, 'install' | 'remove' | 'status'>,
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
 * A server that somebody restarts at one process is restarted in all that have a process or connection of their own to it:
 * agents may be served by any of them. A container is one for all, and its owner's business.
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

/** A client tells one process that its roots are others; its servers may be connected to every other one too. */
export function shareRootChanges(upstreams: Upstreams, bus: Pick<Bus, 'subscribe' | 'publish'>): Upstreams {
  bus.subscribe(({ type, name }) => {
    if (type === 'roots_changed') upstreams.rootsChanged(name);
  });
  return {
    ...upstreams,
    rootsChanged: (sessionId) => bus.publish({ type: 'roots_changed', name: sessionId }),
  };
}
