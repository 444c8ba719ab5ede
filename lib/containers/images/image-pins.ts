import type { Queryable } from '../../database/database.ts';
import type { Log } from '../../log.ts';
import type { Containers } from '../containers.ts';

/**
 * Table `server_images`: the image from which each server's containers are made, independent of its tag's present name,
 * and the previous image for a rollback.
 */
export interface ImagePin {
  /** As in the config. */
  readonly reference: string;
  /** The engine's id, `sha256:…`. */
  readonly imageId: string;
  readonly previous: Omit<ImagePin, 'previous'> | undefined;
}

export interface ImagePins {
  of(server: string): Promise<ImagePin | undefined>;
  all(): Promise<ReadonlyMap<string, ImagePin>>;
  set(server: string, pin: ImagePin): Promise<void>;
  remove(server: string): Promise<void>;
}

interface StoredPin {
  readonly server: string;
  readonly reference: string;
  readonly image_id: string;
  readonly previous_reference: string | null;
  readonly previous_image_id: string | null;
}

const columns = 'server, reference, image_id, previous_reference, previous_image_id';

export function createImagePins(database: Queryable): ImagePins {
  return {
    async of(server) {
      const [row] = await database.query<StoredPin>(
        `select ${columns} from server_images where server = $1`,
        [server],
      );
      return row && pinOf(row);
    },
    async all() {
      const rows = await database.query<StoredPin>(`select ${columns} from server_images`);
      return new Map(rows.map((row) => [row.server, pinOf(row)]));
    },
    async set(server, { reference, imageId, previous }) {
      await database.query(
        `insert into server_images (${columns}) values ($1, $2, $3, $4, $5)
         on conflict (server) do update set reference = $2, image_id = $3, previous_reference = $4,
           previous_image_id = $5, updated_at = now()`,
        [server, reference, imageId, previous?.reference ?? null, previous?.imageId ?? null],
      );
    },
    async remove(server) {
      await database.query('delete from server_images where server = $1', [server]);
    },
  };
}

function pinOf(row: StoredPin): ImagePin {
  const { previous_reference: reference, previous_image_id: imageId } = row;
  return {
    reference: row.reference,
    imageId: row.image_id,
    previous: reference === null || imageId === null ? undefined : { reference, imageId },
  };
}

/** Pins whose images also carry a tag of ours, so that `docker image prune` removes no image of a server. */
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

  /** Only warns when the engine is away: the pin is stored, and the image mostly has a tag of its own. */
  async function tagImages(server: string, pin: ImagePin | undefined): Promise<void> {
    const ids = [pin?.imageId, pin?.previous?.imageId].filter((id) => id !== undefined);
    await containers.keepImages(server, ids).catch((error: unknown) => {
      log.warn({ server, error: String(error) }, 'The tags that keep a server’s images could not be set.');
    });
  }

  return {
    ...pins,
    async set(server, pin) {
      await pins.set(server, pin);
      await tagImages(server, pin);
    },
    async remove(server) {
      await pins.remove(server);
      await tagImages(server, undefined);
    },
  };
}
