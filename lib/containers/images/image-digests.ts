import type { Queryable } from '../../database/database.ts';
import type { ImageFacts } from '../containers.ts';
import { namesIn } from './image-names.ts';

/** Table `image_digests`: under which name (`repository@sha256:…`) a registry has an image that may be tidied away here. */
export interface ImageDigests {
  nameOf(imageId: string): Promise<string | undefined>;
  /** Costs nothing when it is noted already, or when no registry has it. */
  note(facts: ImageFacts, reference: string): Promise<void>;
}

export function createImageDigests(database: Queryable): ImageDigests {
  const noted = new Set<string>();

  return {
    async nameOf(imageId) {
      const [row] = await database.query<{ readonly name: string }>(
        'select name from image_digests where image_id = $1',
        [imageId],
      );
      return row?.name;
    },
    async note(facts, reference) {
      const [name] = namesIn(facts, reference);
      if (name === undefined || noted.has(facts.id)) return;
      // A candidate's image is pinned once it serves.
      await database.query(
        `delete from image_digests where image_id <> all ($1::text[]) and image_id not in (
           select image_id from server_images
           union select previous_image_id from server_images where previous_image_id is not null)`,
        [[...noted]],
      );
      await database.query(
        'insert into image_digests (image_id, name) values ($1, $2) on conflict (image_id) do update set name = $2',
        [facts.id, name],
      );
      noted.add(facts.id);
    },
  };
}
