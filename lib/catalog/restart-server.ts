import type { StoredServer } from './catalog.ts';
import { type RegistryParts, serverNotFound } from './registry-parts.ts';
import { hasTools, storable } from './store-tools.ts';

/**
 * Ends a server's process or connection, opens it anew and stores the tools it lists then. Other processes do the same
 * with theirs, once they hear of it.
 */
export async function restartServer(parts: RegistryParts, name: string): Promise<StoredServer> {
  const { catalog, upstreams, known, locks, bus } = parts;
  if (!known.current.has(name)) throw serverNotFound(name);
  return locks.exclusive(name, async () => {
    const config = known.current.get(name);
    if (!config) throw serverNotFound(name);
    bus.publish({ type: 'restart', name });
    const tools = await upstreams.restart(name);
    const stored = catalog.server(name);
    // Nothing new to store: a restart works while the database is away.
    if (stored && hasTools(stored, tools)) return stored;
    return catalog.store(config, storable(tools));
  });
}
