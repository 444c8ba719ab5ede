import type { ServerConfig } from '../../config/server-config.ts';
import type { Log } from '../../log.ts';
import type { Containers, ImageFacts } from '../containers.ts';
import type { ImageDigests } from './image-digests.ts';
import type { ImagePins } from './image-pins.ts';
import { provisionFailed } from './provision-failures.ts';
import { imageNotHere } from './pull-by-policy.ts';

/**
 * The image that a container is to be made from, here. One that somebody removed is pulled again: by the digest that it
 * was known by, so that it is the very same, else by its tag, with a warning, and the server goes on from what that is.
 */
export type PresentImage = (config: ServerConfig, imageId: string | undefined) => Promise<ImageFacts>;

export interface PresentImageOptions {
  readonly containers: Pick<Containers, 'image' | 'pull'>;
  readonly pins: ImagePins;
  readonly digests: ImageDigests;
  /** The service ends: no pull goes on. */
  readonly ended: AbortSignal;
  readonly log: Log;
}

export function createPresentImage(options: PresentImageOptions): PresentImage {
  const { containers, pins, digests, ended, log } = options;

  async function pullByDigest(imageId: string): Promise<ImageFacts | undefined> {
    const known = await digests.nameOf(imageId);
    if (known === undefined) return undefined;
    try {
      await containers.pull(known, () => {}, ended);
      return await containers.image(imageId);
    } catch (error) {
      ended.throwIfAborted();
      log.warn({ image: known, error: String(error) }, 'An image could not be pulled again by its digest.');
      return undefined;
    }
  }

  async function pullByTag({ name, image = '', pull }: ServerConfig, imageId: string | undefined) {
    let facts = imageId === undefined ? undefined : await containers.image(image);
    if (facts === undefined) {
      if (pull === 'never') throw imageNotHere(image);
      await containers.pull(image, () => {}, ended);
      facts = await containers.image(image);
    }
    if (facts === undefined) throw provisionFailed('pull', 'The image was removed again.', { status: 422 });
    if (imageId !== undefined && facts.id !== imageId) {
      log.warn(
        { server: name, image },
        'The image of a server was removed; it goes on from what its tag names now.',
      );
      const pin = await pins.of(name);
      if (pin?.imageId === imageId) await pins.set(name, { ...pin, imageId: facts.id });
    }
    return facts;
  }

  return async (config, imageId) => {
    const here = imageId === undefined ? undefined : await containers.image(imageId);
    const again = here ?? (imageId === undefined ? undefined : await pullByDigest(imageId));
    const facts = again ?? (await pullByTag(config, imageId));
    await digests.note(facts, config.image ?? '');
    return facts;
  };
}
