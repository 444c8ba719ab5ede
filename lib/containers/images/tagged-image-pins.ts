import type { Queryable } from '../../database/database.ts';
import type { Log } from '../../log.ts';
import type { Containers } from '../containers.ts';
import { createImagePins, type ImagePin, type ImagePins } from './image-pins.ts';

/** The pins, whose images carry a tag of ours, so that no tidying up of the engine takes what a server is to go on from. */
export function createTaggedImagePins({
  containers,
  database,
  log,
}: {
  readonly containers: Pick<Containers, 'keepImages'>;
  readonly database: Queryable;
  readonly log: Log;
}): ImagePins {
  const pins = createImagePins(database);

  /** An engine that is away is no reason to refuse what is stored; the image has its own tag, most of the time. */
  async function keep(server: string, pin: ImagePin | undefined): Promise<void> {
    const ids = [pin?.imageId, pin?.previous?.imageId].filter((id) => id !== undefined);
    await containers.keepImages(server, ids).catch((error: unknown) => {
      log.warn({ server, error: String(error) }, 'The tags that keep a server’s images could not be set.');
    });
  }

  return {
    ...pins,
    async set(server, pin) {
      await pins.set(server, pin);
      await keep(server, pin);
    },
    async remove(server) {
      await pins.remove(server);
      await keep(server, undefined);
    },
  };
}
