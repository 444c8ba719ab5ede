import { imageRepository } from '../../config/image-reference.ts';
import type { ImageFacts } from '../containers.ts';

/** The digests that a registry has given this image in the reference's repository; none for one that was built here. */
export function digestsIn(facts: Pick<ImageFacts, 'digests'>, reference: string): string[] {
  return namesIn(facts, reference).map((name) => name.slice(name.indexOf('@') + 1));
}

/** `repository@sha256:…`, under which that registry has it. */
export function namesIn({ digests }: Pick<ImageFacts, 'digests'>, reference: string): string[] {
  return digests.filter((name) => imageRepository(name) === imageRepository(reference));
}

/** What people know an image by: its digest in that repository, or its id where it has none. */
export function shownDigest(facts: Pick<ImageFacts, 'id' | 'digests'>, reference: string): string {
  return digestsIn(facts, reference)[0] ?? facts.id;
}
