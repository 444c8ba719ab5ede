import type { ServerConfig } from '../../config/server-config.ts';
import type { PulledImage } from '../../containers/images/present-image.ts';
import { noEngine, type ProvisionWatch } from '../../containers/images/provision-steps.ts';
import type { Candidate } from '../../upstreams/upstreams.ts';
import { missingVariablesIn, type RegistryDependencies } from '../registry-dependencies.ts';

/** The try-out of a server that is about to be registered, as a process, by its address, or as a container. */
export interface Prepared {
  /** Undefined when variables are missing. */
  readonly candidate: Candidate | undefined;
  readonly missing: readonly string[];
}

export async function prepareServer(
  deps: RegistryDependencies,
  config: ServerConfig,
  watch: ProvisionWatch,
): Promise<Prepared> {
  try {
    const candidate =
      config.image === undefined
        ? await deps.upstreams.prepare(config, watch.signal)
        : await imagesOf(deps).prepare(config, watch);
    return { candidate, missing: [] };
  } catch (error) {
    const missing = missingVariablesIn(error);
    if (!missing) throw error;
    return { candidate: undefined, missing };
  }
}

/**
 * Has the image of a server in a container here.
 * @returns what is to be told of it.
 * @throws Failure `provision_failed`
 */
export async function pullFor(
  deps: RegistryDependencies,
  config: Pick<ServerConfig, 'image' | 'pull'>,
  watch: ProvisionWatch,
): Promise<string[]> {
  const { image, pull } = config;
  if (image === undefined) return [];
  const images = imagesOf(deps);
  await images.assertPossible();
  return warningsOf(await images.pull({ image, pull }, watch));
}

export function warningsOf({ warning }: PulledImage): string[] {
  return warning === undefined ? [] : [warning];
}

/** @throws Failure `provision_failed`, 503 */
export function imagesOf({ containers }: Pick<RegistryDependencies, 'containers'>) {
  if (!containers) throw noEngine();
  return containers.images;
}
