import type { ServerConfig } from '../../config/server-config.ts';
import type { ContainerFacts, Containers } from '../containers.ts';
import type { ImagePin, ImagePins } from './image-pins.ts';

/**
 * The id of the image that a server's container is to be made from: a candidate's own, else the pinned one, else that of
 * the container that is there, else what the tag names here. Undefined: it has to be pulled. So a tag that moves never
 * replaces a container.
 */
export type WantedImage = (
  config: ServerConfig,
  present: readonly ContainerFacts[],
) => Promise<string | undefined>;

export function createWantedImage({
  containers,
  pins,
}: {
  readonly containers: Pick<Containers, 'image'>;
  readonly pins: Pick<ImagePins, 'of'>;
}): WantedImage {
  return async (config, present) => {
    const { imageId } = config;
    // What a candidate was made from may have been removed here since, and pulled again as another.
    const isThere = imageId !== undefined && present.some((facts) => facts.imageId === imageId);
    if (isThere || (imageId !== undefined && (await containers.image(imageId)) !== undefined)) return imageId;
    const ofContainer = present.find(({ reference }) => reference === config.image)?.imageId;
    const pin = await pins.of(config.name).catch((error: unknown): ImagePin | undefined => {
      // With the database away a container that is there goes on.
      if (ofContainer === undefined) throw error;
      return undefined;
    });
    if (pin?.reference === config.image) return pin?.imageId;
    return ofContainer ?? (await containers.image(config.image ?? ''))?.id;
  };
}
