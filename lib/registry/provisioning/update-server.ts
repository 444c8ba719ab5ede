import type { AvailableUpdate } from '../../containers/images/available-updates.ts';
import type { ImagePin } from '../../containers/images/image-pins.ts';
import type { ImageStarts } from '../../containers/images/image-starts.ts';
import type { PulledImage } from '../../containers/images/present-image.ts';
import type { ProvisionWatch } from '../../containers/images/provision-steps.ts';
import { undoneOnFailure } from '../registration/register-server.ts';
import type { ImageChangeOptions } from '../registry.ts';
import { containersOf, type RegistryDependencies } from '../registry-dependencies.ts';
import { type ContainerConfig, containerConfigOf, exchangeImage, pinOf } from './exchange-image.ts';
import { type ImageChange, noDifferences } from './image-change.ts';

/** Recreates the server from the image that its reference names now, on this engine or else at its registry. */
export async function updateServer(
  deps: RegistryDependencies,
  name: string,
  options: ImageChangeOptions,
  watch: ProvisionWatch,
): Promise<ImageChange> {
  const { allowedImages = [] } = options;
  containerConfigOf(deps, name, allowedImages);
  return deps.locks.exclusive(name, () =>
    undoneOnFailure(deps, name, watch, async (stepWatch, onFailure) => {
      const config = containerConfigOf(deps, name, allowedImages);
      const { images, updates, earlier, pins } = containersOf(deps);
      await images.assertPossible();
      const before = await pinOf(deps, config);
      const { wasAsked, warning, ...facts } = await newestImage(images, config, before, stepWatch);
      const pin = before ?? { reference: config.image, imageId: facts.id, previous: undefined };
      const warnings = warning === undefined ? [] : [warning];
      try {
        if (pin.imageId !== facts.id) {
          const exchange = { ...options, config, pin, imageId: facts.id, reference: config.image, warnings };
          return await exchangeImage(deps, exchange, stepWatch, onFailure);
        }
        if (before === undefined) await pins.set(name, pin);
        const digest = await earlier.digestOf(facts.id, config.image);
        const toolCount = deps.catalog.server(name)?.tools.length ?? 0;
        const same = { oldDigest: digest, newDigest: digest, tools: noDifferences, toolCount };
        return { name, outcome: 'unchanged', ...same, affectedGroups: {}, warnings };
      } finally {
        // A local image that was used because the pull failed says nothing about the registry.
        if (wasAsked && warning === undefined) await updates.pulled({ name, config }, facts);
        else await updates.poll([{ name, config }]);
        deps.bus.publish({ type: 'image_offer', name });
      }
    }),
  );
}

/** A newer local image of this name takes precedence; otherwise the registry is asked. */
async function newestImage(
  images: Pick<ImageStarts, 'pull'>,
  { image, pull }: ContainerConfig,
  pin: ImagePin | undefined,
  watch: ProvisionWatch,
): Promise<PulledImage & { readonly wasAsked: boolean }> {
  const here = await images.pull({ image, pull: pull === 'never' ? 'never' : 'missing' }, watch);
  if (pull === 'never' || (pin !== undefined && here.id !== pin.imageId)) return { ...here, wasAsked: false };
  return { ...(await images.pull({ image, pull: 'always' }, watch)), wasAsked: true };
}

/** Asks the registry of a server's image for a newer one. */
export async function checkUpdate(
  deps: Pick<RegistryDependencies, 'known' | 'containers'>,
  name: string,
): Promise<AvailableUpdate | undefined> {
  const config = containerConfigOf(deps, name, []);
  const { images, updates } = containersOf(deps);
  await images.assertPossible();
  await pinOf(deps, config);
  return await updates.check({ name, config });
}
