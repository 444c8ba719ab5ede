import { optional, string, type } from 'superstruct';
import type { Queryable } from '../../database/database.ts';
import { withDatabaseTimeout } from '../../database/database-fault.ts';
import { about, type ValueOf } from '../../json/json-schema.ts';
import { type AvailableUpdate, availableUpdateOf } from './available-updates.ts';

/**
 * The images of servers as the API shows them: an available update, and the previous image for a rollback. Only the owner
 * of the containers finds updates, so every process reads them from the database, on request and at most twice a second.
 */
export interface ShownImages {
  /** Reads the stored rows again. Never rejects; while the database is away the last rows are shown. */
  refresh(): Promise<void>;
  /** Marks the cached rows as out of date. */
  expire(): void;
  of(server: string): ShownImage | undefined;
}

export interface ShownImage {
  readonly availableUpdate: AvailableUpdate | undefined;
  readonly previous: { readonly reference: string; readonly digest: string } | undefined;
}

interface StoredImage {
  readonly server: string;
  readonly reference: string;
  readonly old_digest: string | null;
  readonly new_digest: string | null;
  readonly seen_at: Date | null;
  readonly previous_reference: string | null;
  readonly previous_image_id: string | null;
  readonly previous_name: string | null;
}

const refreshEveryMs = 500;
const timeoutMs = 500;
const statement = `select server, pinned.reference, old_digest, new_digest, seen_at,
    previous_reference, previous_image_id, name as previous_name
  from server_images pinned
  left join image_offers offered using (server)
  left join image_digests noted on noted.image_id = previous_image_id`;

/** @param now Monotonic milliseconds. */
export function createShownImages(database: Queryable, now = () => performance.now()): ShownImages {
  let shown: ReadonlyMap<string, ShownImage> = new Map();
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;

  async function readNow(): Promise<void> {
    readAt = now();
    const begunAt = readAt;
    const rows = await database.query<StoredImage>(statement).catch(() => undefined);
    // A read that began before `expire` is out of date.
    if (readAt !== begunAt) return;
    if (rows) shown = new Map(rows.map((row) => [row.server, imageOf(row)]));
    reading = undefined;
  }

  return {
    of: (server) => shown.get(server),
    expire() {
      readAt = Number.NEGATIVE_INFINITY;
      reading = undefined;
    },
    refresh() {
      if (reading === undefined && now() - readAt < refreshEveryMs) return Promise.resolve();
      reading ??= readNow();
      return withDatabaseTimeout(reading, timeoutMs).catch(() => {});
    },
  };
}

function imageOf(row: StoredImage): ShownImage {
  const { previous_reference: reference, previous_image_id: id, previous_name: name } = row;
  const hasPrevious = reference !== null && id !== null;
  const digest = name?.slice(name.indexOf('@') + 1) ?? id ?? '';
  return {
    availableUpdate: availableUpdateOf(row),
    previous: hasPrevious ? { reference, digest } : undefined,
  };
}

export const UpdateRecord = type({
  reference: about(string(), 'The image as in the config.'),
  old_digest: about(string(), 'Digest (`sha256:…`) of the image that it was made from.'),
  new_digest: about(string(), 'Digest of the newer image.'),
  seen_at: about(string(), 'When the newer image was first seen, a time in ISO 8601.'),
});
export type UpdateRecord = ValueOf<typeof UpdateRecord>;

/** Of a server in a container: the images that could replace its present one. */
export const imageFields = {
  update_available: optional(about(UpdateRecord, 'A newer image of its reference.')),
  previous_image: optional(
    about(
      type({
        reference: about(string(), 'The image as in the config of that time.'),
        digest: about(string(), 'Its digest, or its id at the engine.'),
      }),
      'The image before, for a rollback.',
    ),
  ),
};
const ImageRecord = type(imageFields);
export type ImageRecord = ValueOf<typeof ImageRecord>;

export function imageRecord(image: ShownImage | undefined): ImageRecord {
  const { availableUpdate, previous } = image ?? {};
  return { update_available: availableUpdate && updateRecord(availableUpdate), previous_image: previous };
}

export function updateRecord({ reference, oldDigest, newDigest, seenAt }: AvailableUpdate): UpdateRecord {
  return { reference, old_digest: oldDigest, new_digest: newDigest, seen_at: seenAt.toISOString() };
}
