import { imageRepository } from '../catalog/image-reference.ts';
import type { ServerConfig } from '../catalog/server-config.ts';
import type { Queryable } from '../database/database.ts';
import type { Log } from '../observe/log.ts';
import type { Containers, ImageFacts } from './containers.ts';
import type { ImagePins } from './image-pins.ts';
import { provisionFailed } from './provision-failures.ts';

/**
 * The image that a container is to be made from, here. One that somebody removed is pulled again: by the digest that it
 * was known by, so that it is the very same, else by its tag, with a warning, and the server goes on from what that is.
 */
export type PresentImage = (config: ServerConfig, imageId: string | undefined) => Promise<ImageFacts>;

export interface PresentImageOptions {
  readonly containers: Pick<Containers, 'image' | 'pull'>;
  readonly pins: ImagePins;
  /** For table `image_digests`. */
  readonly database: Queryable;
  /** The service ends: no pull goes on. */
  readonly ended: AbortSignal;
  readonly log: Log;
}

export function createPresentImage(options: PresentImageOptions): PresentImage {
  const { containers, pins, database, ended, log } = options;

  /** One image may be in several repositories; where the config has it from, it is to be had again. */
  async function remember({ id, digests }: ImageFacts, image: string): Promise<void> {
    const isItsOwn = (digest: string) => imageRepository(digest) === imageRepository(image);
    const digest = digests.find(isItsOwn) ?? digests[0];
    if (digest === undefined) return;
    await database.query(
      'insert into image_digests (image_id, digest) values ($1, $2) on conflict (image_id) do update set digest = $2',
      [id, digest],
    );
  }

  async function pullByDigest(imageId: string): Promise<ImageFacts | undefined> {
    const [known] = await database.query<{ digest: string }>(
      'select digest from image_digests where image_id = $1',
      [imageId],
    );
    if (known === undefined) return undefined;
    try {
      await containers.pull(known.digest, () => {}, ended);
      return await containers.image(imageId);
    } catch (error) {
      ended.throwIfAborted();
      log.warn(
        { image: known.digest, error: String(error) },
        'An image could not be pulled again by its digest.',
      );
      return undefined;
    }
  }

  async function pullByTag({ name, image = '', pull }: ServerConfig, imageId: string | undefined) {
    if (pull === 'never') {
      throw provisionFailed('pull', `Image \`${image}\` is not here, and is not to be pulled.`, {
        status: 422,
      });
    }
    let facts = imageId === undefined ? undefined : await containers.image(image);
    if (facts === undefined) {
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
    await remember(facts, config.image ?? '');
    return facts;
  };
}
