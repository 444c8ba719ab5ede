import { createUndoStack, type PushUndo } from '../../async/undo-stack.ts';
import { pause } from '../../async/wait.ts';
import type { ServerConfig } from '../../config/server-config.ts';
import type { ContainerMount } from '../../containers/containers.ts';
import type { Upstreams } from '../../upstreams/upstreams.ts';
import { hasStoredData } from '../provisioning/container-plan.ts';
import type { Deregistration } from '../registry.ts';
import { type RegistryDependencies, serverNotFound } from '../registry-dependencies.ts';
import { removeOrphans } from '../secrets/registered-secrets.ts';
import { recordRemoval, removeContainers, stopContainers } from './removal-steps.ts';

/**
 * Removes one server for good. Stops its container or process, removes its tools from every list, then its file, then its
 * row; a failure up to here undoes all of it. Containers, volumes and secrets are removed last. The next start completes
 * a removal that was cut short by a kill (`complete-removals.ts`): it removes the rest if the file is gone, and otherwise
 * restores the server.
 *
 * Containers and volumes of a server whose file was removed by hand are stored, though it is not listed; they are removed
 * the same way.
 */
export async function deregisterServer(deps: RegistryDependencies, name: string): Promise<Deregistration> {
  const { catalog, known, locks, log } = deps;
  await assertThere(deps, name);
  return await locks.exclusive(name, async () => {
    const hasData = await assertThere(deps, name);
    await deps.files.assertWritable(name);
    const config = known.current.get(name) ?? catalog.server(name)?.config;
    const kept = await foreignMounts(deps, name, config);
    // The record from the removal of the file by hand is more complete than this process's knowledge.
    if (isListed(deps, name)) await recordRemoval(deps, name);
    const undo = createUndoStack();
    try {
      await withdraw(deps, name, config, undo.push);
    } catch (error) {
      await undo.run((failed) =>
        log.error({ server: name, error: String(failed) }, 'A server is half removed.'),
      );
      throw error;
    }
    known.current.delete(name);
    known.withFile.delete(name);
    known.problems.delete(name);
    return await removeOwned(deps, name, hasData || config?.image !== undefined, kept);
  });
}

/** Time for the gateways of other processes to apply the messages. */
const othersFollowMs = 200;

async function withdraw(
  deps: Pick<RegistryDependencies, 'catalog' | 'upstreams' | 'files' | 'bus' | 'containers' | 'log'>,
  name: string,
  config: ServerConfig | undefined,
  onFailure: PushUndo,
): Promise<void> {
  const { catalog, upstreams, files, bus, containers } = deps;
  const wasUp = upstreams.status(name)?.state === 'connected';
  await upstreams.remove(name, 'stop');
  onFailure(async () => config && putBack(upstreams, config, wasUp));
  if (config === undefined || config.image !== undefined) await stopContainers(deps, name);
  onFailure(await catalog.withdraw(name));
  if (bus.flush) await bus.flush(othersFollowMs).then(() => pause(othersFollowMs));
  onFailure(await files.remove(name));
  const pin = await containers?.pins.of(name);
  if (pin) await containers?.pins.remove(name);
  if (pin) onFailure(async () => containers?.pins.set(name, pin));
  await catalog.remove(name);
}

/** Starts the server again, in the background. */
function putBack(upstreams: Upstreams, config: ServerConfig, wasUp: boolean): void {
  upstreams.install(config);
  if (wasUp) upstreams.connect(config.name).catch(() => {});
}

/** Removes containers, volumes and secrets; failures become warnings. */
async function removeOwned(
  deps: Pick<RegistryDependencies, 'catalog' | 'containers' | 'secrets' | 'known' | 'owners' | 'log'>,
  name: string,
  isOfContainer: boolean,
  kept: Deregistration['kept'],
): Promise<Deregistration> {
  const { catalog, log } = deps;
  const gone = isOfContainer ? await removeContainers(deps, name) : undefined;
  const secrets = await removeOrphans(deps, name);
  const warnings = gone?.warning === undefined ? [] : [gone.warning];
  if (secrets === undefined)
    warnings.push('Its secrets could not be removed now; the next start removes them.');
  else {
    await catalog.endWithdrawal(name).catch((error: unknown) => {
      log.warn({ server: name, error: String(error) }, 'The next start finds a removal that is over.');
    });
  }
  return {
    removed: { containers: gone?.containers ?? [], volumes: gone?.volumes ?? [], secrets: secrets ?? 0 },
    kept,
    warnings,
  };
}

/**
 * Resolves with whether the engine stores data of the server.
 * @throws Failure `server_not_found`
 */
async function assertThere(
  deps: Pick<RegistryDependencies, 'known' | 'catalog' | 'containers'>,
  name: string,
): Promise<boolean> {
  const hasData = await hasStoredData(deps, name).catch((error: unknown) => {
    if (isListed(deps, name)) return false;
    throw error;
  });
  if (!hasData && !isListed(deps, name)) throw serverNotFound(name);
  return hasData;
}

/** Includes servers whose file was never usable: deleting the server removes the file. */
function isListed(
  { known, catalog }: Pick<RegistryDependencies, 'known' | 'catalog'>,
  name: string,
): boolean {
  return known.current.has(name) || known.problems.has(name) || catalog.server(name) !== undefined;
}

/** Mounts that the server used and did not own: folders of the host and named volumes. They outlive the server. */
async function foreignMounts(
  { containers }: Pick<RegistryDependencies, 'containers'>,
  server: string,
  config: ServerConfig | undefined,
): Promise<readonly ContainerMount[]> {
  if (config !== undefined) {
    return config.volumes.flatMap(({ path, source, readOnly }) => {
      if (source === undefined) return [];
      return [{ type: source.startsWith('/') ? 'bind' : 'volume', source, path, readOnly } as const];
    });
  }
  const data = await containers?.containerStore.data(server).catch(() => undefined);
  return data?.mounts ?? [];
}
