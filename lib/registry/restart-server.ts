import type { StoredServer } from '../catalog/catalog.ts';
import type { ServerConfig } from '../config/server-config.ts';
import { assertNothingLost, fitOf } from './provisioning/container-plan.ts';
import { hasTools, storable } from './registration/store-tools.ts';
import { type RegistryDependencies, serverNotFound } from './registry-dependencies.ts';

/**
 * Ends a server's process or connection, opens it anew and stores the tools it lists then. Other processes do the same
 * with theirs, once they hear of it. A container is the same one afterwards, unless a secret of it has changed.
 * @throws Failure `data_at_risk` when that would lose what the container keeps, and nobody said that it may.
 */
export async function restartServer(
  deps: RegistryDependencies,
  name: string,
  discardData: boolean,
): Promise<StoredServer> {
  const { catalog, upstreams, known, locks, bus, containers } = deps;
  if (!known.current.has(name)) throw serverNotFound(name);
  return locks.exclusive(name, async () => {
    const config = known.current.get(name);
    if (!config) throw serverNotFound(name);
    await assertKeepsItsData(deps, config, discardData);
    bus.publish({ type: 'restart', name });
    const end = containers?.containerStore.asked(name, discardData);
    const tools = await upstreams.restart(name).finally(end);
    const stored = catalog.server(name);
    // Nothing new to store: a restart works while the database is away.
    if (stored && hasTools(stored, tools)) return stored;
    return catalog.store(config, storable(tools));
  });
}

async function assertKeepsItsData(
  deps: RegistryDependencies,
  config: ServerConfig,
  mayDiscard: boolean,
): Promise<void> {
  if (mayDiscard || deps.containers?.isOwner() !== true) return;
  // An engine that is away fails the restart itself, with a better sentence.
  const fit = await fitOf(deps, config).catch(() => undefined);
  assertNothingLost(config.name, fit, { mayDiscard, act: 'A changed secret or config' });
}
