import { imageRepository } from '../../config/image-reference.ts';
import type { Queryable } from '../../database/database.ts';
import type { ImageFacts } from '../containers.ts';

/**
 * Table `image_digests`: the name (`repository@sha256:…`) of an image at its registry, stored in case the image is
 * pruned on this engine.
 */
export interface ImageDigests {
  nameOf(imageId: string): Promise<string | undefined>;
  /** Writes nothing when the image is recorded already, or when no registry has it. */
  record(facts: ImageFacts, reference: string): Promise<void>;
}

export function createImageDigests(database: Queryable): ImageDigests {
  const recorded = new Set<string>();

  return {
    async nameOf(imageId) {
      const [row] = await database.query<{ readonly name: string }>(
        'select name from image_digests where image_id = $1',
        [imageId],
      );
      return row?.name;
    },
    async record(facts, reference) {
      const [name] = namesIn(facts, reference);
      if (name === undefined || recorded.has(facts.id)) return;
      // A candidate's image is pinned once it serves.
      await database.query(
        `delete from image_digests where image_id <> all ($1::text[]) and image_id not in (
           select image_id from server_images
           union select previous_image_id from server_images where previous_image_id is not null)`,
        [[...recorded]],
      );
      await database.query(
        'insert into image_digests (image_id, name) values ($1, $2) on conflict (image_id) do update set name = $2',
        [facts.id, name],
      );
      recorded.add(facts.id);
    },
  };
}

/** The digests of this image in the reference's repository; none for an image that was built here. */
export function digestsIn(facts: Pick<ImageFacts, 'digests'>, reference: string): string[] {
  return namesIn(facts, reference).map((name) => name.slice(name.indexOf('@') + 1));
}

/** `repository@sha256:…`, the image's name at that registry. */
export function namesIn({ digests }: Pick<ImageFacts, 'digests'>, reference: string): string[] {
  return digests.filter((name) => imageRepository(name) === imageRepository(reference));
}

/** The digest that is shown for an image: its digest in that repository, or its id where it has none. */
export function shownDigest(facts: Pick<ImageFacts, 'id' | 'digests'>, reference: string): string {
  return digestsIn(facts, reference)[0] ?? facts.id;
}
