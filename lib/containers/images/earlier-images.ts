import type { Containers } from '../containers.ts';
import { type ImageDigests, shownDigest } from './image-digests.ts';
import type { ImageStarts } from './image-starts.ts';
import { type ProvisionWatch, provisionFailed } from './provision-steps.ts';

/** Images by id, independent of their tags' present names: the image of a server, and its previous image. */
export interface EarlierImages {
  /** The digest that is shown for the image (`shownDigest`), also after the image was removed. */
  digestOf(imageId: string, reference: string): Promise<string>;
  /**
   * Pulls the image by its name at the registry, unless it is on this engine. Rejects as
   * `ImageStarts.pull`, and with provision_failed (422, step `pull`) when no registry has it.
   */
  restore(imageId: string, watch: ProvisionWatch): Promise<void>;
}

export interface EarlierImagesDependencies {
  readonly containers: Pick<Containers, 'image'>;
  readonly images: Pick<ImageStarts, 'pull'>;
  readonly digests: Pick<ImageDigests, 'nameOf' | 'record'>;
}

export function createEarlierImages(dependencies: EarlierImagesDependencies): EarlierImages {
  const { containers, images, digests } = dependencies;

  return {
    async digestOf(imageId, reference) {
      const facts = await containers.image(imageId);
      if (facts) {
        await digests.record(facts, reference);
        return shownDigest(facts, reference);
      }
      const name = await digests.nameOf(imageId);
      return name?.slice(name.indexOf('@') + 1) ?? imageId;
    },
    async restore(imageId, watch) {
      if (await containers.image(imageId)) return watch.onStep({ step: 'pull' });
      const name = await digests.nameOf(imageId);
      if (name === undefined) {
        throw gone('The image before was removed from this engine, and it came from no registry.');
      }
      await images.pull({ image: name, pull: 'missing' }, watch);
      if (await containers.image(imageId)) return;
      throw gone(
        'The image before was removed from this engine, and its registry has another one in its place.',
      );
    },
  };
}

function gone(sentence: string) {
  return provisionFailed('pull', sentence, { status: 422 });
}
