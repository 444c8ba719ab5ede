import { createUndoStack, type PushUndo } from '../../async/undo-stack.ts';
import { pause } from '../../async/wait.ts';
import type { ServerConfig } from '../../config/server-config.ts';
import type { Upstreams } from '../../upstreams/upstreams.ts';
import { foreignMounts, hasStoredData } from '../provisioning/stored-data.ts';
import type { Deregistration } from '../registry.ts';
import { type RegistryDependencies, serverNotFound } from '../registry-dependencies.ts';
import { removeOrphans } from '../secrets/registered-secrets.ts';
import { recordRemoval } from './record-removal.ts';
import { removeContainers } from './remove-containers.ts';
import { stopContainers } from './stop-containers.ts';

/**
 * Removes one server for good. From outside: its container or process stops, its tools leave every list, its file goes,
 * then its row. Until then a step that fails takes all of it back. What it kept goes last: containers, volumes, secrets.
 * A kill in between is settled by the next start (`settle-deregistrations.ts`): once the file is gone the rest follows,
 * before that the server stands as it was.
 *
 * A server whose file was removed by hand is not listed, but its container and volumes are kept: it goes the same way.
 */
export async function deregisterServer(deps: RegistryDependencies, name: string): Promise<Deregistration> {
  const { catalog, known, locks, log } = deps;
  await assertThere(deps, name);
  return await locks.exclusive(name, async () => {
    const isKept = await assertThere(deps, name);
    const config = known.current.get(name) ?? catalog.server(name)?.config;
    const kept = await foreignMounts(deps, name, config);
    // What was noted when its file was removed by hand knows more than there is to know now.
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
    return await removeWhatItKept(deps, name, isKept || config?.image !== undefined, kept);
  });
}

/** How long the gateways of other processes get to read what they were told of. */
const othersFollowMs = 200;

async function withdraw(
  deps: RegistryDependencies,
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

/** It starts anew; nobody waits for that. */
function putBack(upstreams: Upstreams, config: ServerConfig, wasUp: boolean): void {
  upstreams.install(config);
  if (wasUp) upstreams.connect(config.name).catch(() => {});
}

async function removeWhatItKept(
  deps: RegistryDependencies,
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
 * Whether something is kept at the engine of it.
 * @throws Failure `server_not_found`
 */
async function assertThere(deps: RegistryDependencies, name: string): Promise<boolean> {
  const isKept = await hasStoredData(deps, name).catch((error: unknown) => {
    if (isListed(deps, name)) return false;
    throw error;
  });
  if (!isKept && !isListed(deps, name)) throw serverNotFound(name);
  return isKept;
}

/** Also a server whose file was never usable: deleting it is how one gets rid of the file. */
function isListed({ known, catalog }: RegistryDependencies, name: string): boolean {
  return known.current.has(name) || known.problems.has(name) || catalog.server(name) !== undefined;
}
