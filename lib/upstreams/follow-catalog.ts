import type { Catalog } from '../catalog/catalog.ts';
import type { Bus } from '../events/bus.ts';
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
