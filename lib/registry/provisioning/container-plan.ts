import type { PushUndo } from '../../async/undo-stack.ts';
import { resolveReferences } from '../../config/secret-references.ts';
import type { ServerConfig } from '../../config/server-config.ts';
import type { ContainerFit } from '../../containers/store/container-data.ts';
import { layerAtRisk, volumesAtRisk } from '../../containers/store/data-at-risk.ts';
import { missingVariablesIn, type RegistryDependencies } from '../registry-dependencies.ts';

/**
 * What becomes of a server's container when it is to be of this config: whether the one that is there may stay, what would
 * be lost, and how a try-out stays away from its data.
 */

/** Undefined for a server without an image, and where this process has no way to containers. */
export async function fitOf(
  { containers, secrets }: Pick<RegistryDependencies, 'containers' | 'secrets'>,
  config: ServerConfig,
): Promise<ContainerFit | undefined> {
  if (config.image === undefined || containers === undefined) return undefined;
  try {
    return await containers.containerStore.fit((await resolveReferences(config, secrets)).config);
  } catch (error) {
    if (missingVariablesIn(error) === undefined) throw error;
    // Without a value it can be no container that is there.
    return await containers.containerStore.fit(config);
  }
}

/** @throws Failure `data_at_risk` */
export function assertNothingLost(
  server: string,
  fit: ContainerFit | undefined,
  { mayDiscard, act }: { readonly mayDiscard: boolean; readonly act: string },
): void {
  if (fit?.atRisk !== undefined && !mayDiscard) throw layerAtRisk(server, fit.atRisk, act);
}

/**
 * A server goes on with its volumes under another image when somebody with administration rights says so; one that comes
 * anew under a name whose volumes were kept does not get those of another image.
 * @throws Failure `data_at_risk`
 */
export async function completeVolumes(
  { containers, known }: Pick<RegistryDependencies, 'containers' | 'known'>,
  config: ServerConfig,
  fit: ContainerFit | undefined,
  asker: { readonly isAdministrator: boolean; readonly discardData: boolean; readonly onFailure: PushUndo },
): Promise<void> {
  if (containers === undefined || fit === undefined || fit.strangePaths.length === 0) return;
  const isListed = known.current.has(config.name);
  if (isListed && asker.isAdministrator)
    return asker.onFailure(await containers.containerStore.inherit(config));
  if (isListed || !asker.discardData) throw volumesAtRisk(config.name, fit.strangePaths, isListed);
  await containers.containerStore.remove(config.name);
}

/** The config that a candidate is started with: of the very image that was judged, and away from the server's data. */
export function candidateOf(config: ServerConfig, fit: ContainerFit | undefined): ServerConfig {
  if (fit === undefined) return config;
  const isTryOut = fit.container !== 'none' && (fit.hasVolumes || fit.container === 'fits');
  return {
    ...config,
    ...(fit.imageId === undefined ? {} : { imageId: fit.imageId }),
    ...(isTryOut ? { isTryOut } : {}),
  };
}

/** The server is registered: from now on it is made of this image, whatever its tag names. */
export async function pinPlannedImage(
  { containers, log }: Pick<RegistryDependencies, 'containers' | 'log'>,
  { name, image: reference }: ServerConfig,
  imageId: string | undefined,
): Promise<void> {
  if (containers === undefined || reference === undefined || imageId === undefined) return;
  try {
    const before = await containers.pins.of(name);
    if (before?.reference === reference && before.imageId === imageId) return;
    const previous = before && { reference: before.reference, imageId: before.imageId };
    await containers.pins.set(name, { reference, imageId, previous });
  } catch (error) {
    // The look at the containers does it later, from the one that is there.
    log.warn({ server: name, error: String(error) }, 'The image of a server could not be written down.');
  }
}
