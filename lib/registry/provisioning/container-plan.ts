import type { PushUndo } from '../../async/undo-stack.ts';
import { resolveReferences } from '../../config/secret-references.ts';
import type { ServerConfig } from '../../config/server-config.ts';
import type { ContainerFit } from '../../containers/store/container-data.ts';
import { layerAtRisk, volumesAtRisk } from '../../containers/store/data-at-risk.ts';
import { isServerName } from '../../names/names.ts';
import { missingVariablesIn, type RegistryDependencies } from '../registry-dependencies.ts';

/**
 * The plan for a server's container under a config: whether the existing container fits, which data would be lost, and
 * how a try-out avoids its data.
 */

/** Undefined for a server without an image, and where this process has no way to containers. */
export async function readContainerFit(
  { containers, secrets }: Pick<RegistryDependencies, 'containers' | 'secrets'>,
  config: ServerConfig,
): Promise<ContainerFit | undefined> {
  if (config.image === undefined || containers === undefined) return undefined;
  try {
    return await containers.containerStore.fit((await resolveReferences(config, secrets)).config);
  } catch (error) {
    if (missingVariablesIn(error) === undefined) throw error;
    // Without the values of its variables the config fits no existing container.
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
 * A server keeps its volumes under another image if the caller has administration rights. A new server does not get
 * volumes that were kept under its name by a server of another image.
 * @throws Failure `data_at_risk`
 */
export async function completeVolumes(
  { containers, known }: Pick<RegistryDependencies, 'containers' | 'known'>,
  config: ServerConfig,
  fit: ContainerFit | undefined,
  options: { readonly isAdministrator: boolean; readonly discardData: boolean; readonly onFailure: PushUndo },
): Promise<void> {
  if (containers === undefined || fit === undefined || fit.strangePaths.length === 0) return;
  const isListed = known.current.has(config.name);
  if (isListed && options.isAdministrator)
    return options.onFailure(await containers.containerStore.inherit(config));
  if (isListed || !options.discardData) throw volumesAtRisk(config.name, fit.strangePaths, isListed);
  await containers.containerStore.remove(config.name);
}

/** The config of the try-out: with the image of the fit's judgement, and without the server's data. */
export function candidateOf(config: ServerConfig, fit: ContainerFit | undefined): ServerConfig {
  if (fit === undefined) return config;
  const isTryOut = fit.container !== 'none' && (fit.hasVolumes || fit.container === 'fits');
  return {
    ...config,
    ...(fit.imageId === undefined ? {} : { imageId: fit.imageId }),
    ...(isTryOut ? { isTryOut } : {}),
  };
}

/** Pins a registered server to this image, so that its containers are made from it even after its tag moves. */
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
    // The next poll of the containers pins the image of the existing one.
    log.warn({ server: name, error: String(error) }, 'The image of a server could not be written down.');
  }
}

/**
 * Whether an image pin or volumes of a container server are stored. Those of a server whose config file was removed by hand
 * stay until the server is deleted.
 */
export async function hasStoredData(
  { containers }: Pick<RegistryDependencies, 'containers'>,
  server: string,
): Promise<boolean> {
  if (containers === undefined || !isServerName(server)) return false;
  if ((await containers.pins.of(server)) !== undefined) return true;
  return (await containers.containerStore.data(server)).volumes.length > 0;
}
