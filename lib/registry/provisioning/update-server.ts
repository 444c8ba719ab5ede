import type { ImagePin } from '../../containers/images/image-pins.ts';
import type { ImageStarts } from '../../containers/images/image-starts.ts';
import type { PulledImage } from '../../containers/images/present-image.ts';
import type { ProvisionWatch } from '../../containers/images/provision-steps.ts';
import { undoneOnFailure } from '../registration/register-server.ts';
import type { ImageChangeOptions } from '../registry.ts';
import type { RegistryDependencies } from '../registry-dependencies.ts';
import {
  type ContainerConfig,
  containerConfigOf,
  containersOf,
  exchangeImage,
  pinOf,
} from './exchange-image.ts';
import { type ImageChange, noDifferences } from './image-change.ts';

/** Makes the server from what the config's reference names now, on this engine or else at its registry, unless it is already. */
export async function updateServer(
  deps: RegistryDependencies,
  name: string,
  options: ImageChangeOptions,
  watch: ProvisionWatch,
): Promise<ImageChange> {
  const { allowedImages = [] } = options;
  containerConfigOf(deps, name, allowedImages);
  return deps.locks.exclusive(name, () =>
    undoneOnFailure(deps, name, watch, async (told, onFailure) => {
      const config = containerConfigOf(deps, name, allowedImages);
      const { images, updates, earlier, pins } = containersOf(deps);
      await images.assertPossible();
      const before = await pinOf(deps, config);
      const { wasAsked, warning, ...facts } = await newestImage(images, config, before, told);
      const pin = before ?? { reference: config.image, imageId: facts.id, previous: undefined };
      const warnings = warning === undefined ? [] : [warning];
      try {
        if (pin.imageId !== facts.id) {
          const exchange = { ...options, config, pin, imageId: facts.id, reference: config.image, warnings };
          return await exchangeImage(deps, exchange, told, onFailure);
        }
        if (before === undefined) await pins.set(name, pin);
        const digest = await earlier.digestOf(facts.id, config.image);
        const toolCount = deps.catalog.server(name)?.tools.length ?? 0;
        const same = { oldDigest: digest, newDigest: digest, tools: noDifferences, toolCount };
        return { name, outcome: 'unchanged', ...same, affectedGroups: {}, warnings };
      } finally {
        // A local image in the place of one that could not be pulled says nothing of its registry.
        if (wasAsked && warning === undefined) await updates.pulled({ name, config }, facts);
        else await updates.poll([{ name, config }]);
        deps.bus.publish({ type: 'image_offer', name });
      }
    }),
  );
}

/** Somebody who built or pulled another image under this name wants that one; otherwise its registry is asked. */
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
