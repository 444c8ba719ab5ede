import type { ImageOffer } from '../../containers/images/image-offers.ts';
import type { RegistryParts } from '../registry-parts.ts';
import { containerConfigOf, containersOf, pinOf } from './exchange-image.ts';

/** Asks the registry of a server's image now whether there is a newer one. */
export async function checkUpdate(parts: RegistryParts, name: string): Promise<ImageOffer | undefined> {
  const config = containerConfigOf(parts, name, []);
  const { images, updates } = containersOf(parts);
  await images.assertPossible();
  await pinOf(parts, config);
  return await updates.check({ name, config });
}
