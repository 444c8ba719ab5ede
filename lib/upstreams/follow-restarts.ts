import type { Catalog } from '../catalog/catalog.ts';
import type { Bus } from '../events/bus.ts';
import type { Log } from '../log.ts';
import type { Upstreams } from './upstreams.ts';

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
