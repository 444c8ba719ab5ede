import type { ProvisionWatch } from '../containers/provision-steps.ts';
import { containerConfigOf, containersOf, exchangeImage, pinOf } from './exchange-image.ts';
import { type ImageChange, noDifferences } from './image-change.ts';
import { undoneOnFailure } from './register-server.ts';
import type { ImageChangeOptions } from './registry.ts';
import type { RegistryParts } from './registry-parts.ts';

/** Pulls what the config's reference names now and makes the server from it, unless it is already. */
export async function updateServer(
  parts: RegistryParts,
  name: string,
  options: ImageChangeOptions,
  watch: ProvisionWatch,
): Promise<ImageChange> {
  const { allowedImages = [] } = options;
  containerConfigOf(parts, name, allowedImages);
  return parts.locks.exclusive(name, () =>
    undoneOnFailure(parts, name, watch, async (told, onFailure) => {
      const config = containerConfigOf(parts, name, allowedImages);
      const { images, updates, earlier, pins } = containersOf(parts);
      await images.assertPossible();
      const before = await pinOf(parts, config);
      const pull = config.pull === 'never' ? 'never' : 'always';
      const { warning, ...facts } = await images.pull({ image: config.image, pull }, told);
      const pin = before ?? { reference: config.image, imageId: facts.id, previous: undefined };
      const warnings = warning === undefined ? [] : [warning];
      try {
        if (pin.imageId !== facts.id) {
          const exchange = { ...options, config, pin, imageId: facts.id, reference: config.image, warnings };
          return await exchangeImage(parts, exchange, told, onFailure);
        }
        if (before === undefined) await pins.set(name, pin);
        const digest = await earlier.digestOf(facts.id, config.image);
        const toolCount = parts.catalog.server(name)?.tools.length ?? 0;
        const same = { oldDigest: digest, newDigest: digest, tools: noDifferences, toolCount };
        return { name, outcome: 'unchanged', ...same, affectedGroups: {}, warnings };
      } finally {
        // A local image in the place of one that could not be pulled says nothing of its registry.
        if (warning === undefined) await updates.pulled({ name, config }, facts);
        else await updates.look([{ name, config }]);
        parts.bus.publish({ type: 'image_offer', name });
      }
    }),
  );
}
