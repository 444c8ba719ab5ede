import type { AvailableUpdate } from './available-updates.ts';
import type { ShownImage } from './shown-images.ts';

/** Of a server in a container: what could be in the place of its image. */
export interface ImageRecord {
  /** A newer image of its reference. */
  readonly update_available?: UpdateRecord | undefined;
  /** The image before, to roll back to. */
  readonly previous_image?: { readonly reference: string; readonly digest: string } | undefined;
}

export interface UpdateRecord {
  readonly reference: string;
  readonly old_digest: string;
  readonly new_digest: string;
  readonly seen_at: string;
}

export function imageRecord(image: ShownImage | undefined): ImageRecord {
  const { availableUpdate, previous } = image ?? {};
  return { update_available: availableUpdate && updateRecord(availableUpdate), previous_image: previous };
}

export function updateRecord({ reference, oldDigest, newDigest, seenAt }: AvailableUpdate): UpdateRecord {
  return { reference, old_digest: oldDigest, new_digest: newDigest, seen_at: seenAt.toISOString() };
}
