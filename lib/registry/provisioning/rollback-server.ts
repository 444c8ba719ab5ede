import { assertImageAllowed, imageRepository } from '../../config/image-reference.ts';
import type { ProvisionWatch } from '../../containers/images/provision-steps.ts';
import { Failure } from '../../failure.ts';
import { undoneOnFailure } from '../registration/register-server.ts';
import type { ImageChangeOptions } from '../registry.ts';
import { containersOf, type RegistryDependencies } from '../registry-dependencies.ts';
import { containerConfigOf, exchangeImage, pinOf } from './exchange-image.ts';
import type { ImageChange } from './image-change.ts';

/** Recreates the server from its previous image, and records the present one for the next rollback. */
export async function rollBackServer(
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
      const { images, updates, earlier } = containersOf(deps);
      await images.assertPossible();
      const pin = await pinOf(deps, config);
      const previous = pin?.previous;
      if (pin === undefined || previous === undefined) throw nothingBefore(name);
      if (imageRepository(previous.reference) !== imageRepository(config.image)) {
        throw otherRepository(name, previous.reference);
      }
      assertImageAllowed(previous.reference, allowedImages);
      await earlier.restore(previous.imageId, stepWatch);
      const exchange = { ...options, config, pin, ...previous, warnings: [] };
      const change = await exchangeImage(deps, exchange, stepWatch, onFailure);
      await updates.poll([{ name, config }]);
      deps.bus.publish({ type: 'image_offer', name });
      return change;
    }),
  );
}

function nothingBefore(name: string): Failure {
  return new Failure(
    'conflict',
    `Server \`${name}\` has no image before to go back to: it was not updated yet.`,
  );
}

/** Agents would call another program: this needs a registration, with its own rights. */
function otherRepository(name: string, reference: string): Failure {
  return new Failure(
    'conflict',
    `Server \`${name}\` was made from \`${reference}\` before, another image: register it with that one instead.`,
  );
}
