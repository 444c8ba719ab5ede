import { anySignal } from '../async/cancellation.ts';
import type { StoredServer } from '../catalog/catalog.ts';
import type { ServerConfig } from '../config/server-config.ts';
import { assertNothingLost, readContainerFit } from './provisioning/container-plan.ts';
import { provisionServer } from './provisioning/provision-server.ts';
import { rollBackServer } from './provisioning/rollback-server.ts';
import { checkUpdate, updateServer } from './provisioning/update-server.ts';
import type { ListInBackground } from './reconcile/list-in-background.ts';
import { previewRegistration } from './registration/preview-registration.ts';
import { registerServer } from './registration/register-server.ts';
import { hasTools, storable } from './registration/store-tools.ts';
import type { Registry } from './registry.ts';
import { type RegistryDependencies, serverNotFound } from './registry-dependencies.ts';
import { deregisterServer } from './removal/deregister-server.ts';

/** The operations of requests. The caller's signal and the end of the service abort them. */
export function createRegistryOperations(
  deps: RegistryDependencies,
  listInBackground: ListInBackground,
): Pick<
  Registry,
  'register' | 'provision' | 'deregister' | 'restart' | 'update' | 'rollBack' | 'checkUpdate'
> {
  async function whileWanted<Result>(
    signal: AbortSignal | undefined,
    work: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const joined = anySignal(signal ? [signal, deps.ended] : [deps.ended]);
    return await work(joined.signal).finally(joined.release);
  }

  return {
    register: (document, options = {}) =>
      whileWanted(options.signal, (signal) => {
        const watch = { signal, onStep() {} };
        const { isAdministrator = false, replace = false, discardData = false } = options;
        const requester = { isAdministrator, replace, discardData };
        return options.dryRun
          ? previewRegistration(deps, document, requester, watch)
          : registerServer(deps, listInBackground, document, requester, watch);
      }),
    provision: (request, { signal, onStep }, { isAdministrator = false } = {}) =>
      whileWanted(signal, (joined) =>
        provisionServer(deps, listInBackground, request, isAdministrator, { signal: joined, onStep }),
      ),
    deregister: (name) => deregisterServer(deps, name),
    restart: (name, { discardData = false } = {}) => restartServer(deps, name, discardData),
    update: (name, options, { signal, onStep }) =>
      whileWanted(signal, (joined) => updateServer(deps, name, options, { signal: joined, onStep })),
    rollBack: (name, options, { signal, onStep }) =>
      whileWanted(signal, (joined) => rollBackServer(deps, name, options, { signal: joined, onStep })),
    checkUpdate: (name) => checkUpdate(deps, name),
  };
}

/**
 * Ends a server's process or connection, opens it again and stores its new tool list. Other processes restart their
 * connections when they receive the message. A container remains the same one, unless one of its secrets changed.
 * @throws Failure `data_at_risk` when files of the container would be lost, and `discardData` is not set.
 */
async function restartServer(
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
    const end = containers?.containerStore.beginReplacing(name, discardData);
    const tools = await upstreams.restart(name).finally(end);
    const stored = catalog.server(name);
    // An unchanged list is not stored, so that a restart works while the database is away.
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
  // An unreachable engine fails the restart itself, with a better sentence.
  const fit = await readContainerFit(deps, config).catch(() => undefined);
  assertNothingLost(config.name, fit, { mayDiscard, act: 'A changed secret or config' });
}
