import { localName } from '../../config/image-reference.ts';
import type { ServerConfig } from '../../config/server-config.ts';
import { Failure } from '../../failure.ts';
import type { Log } from '../../log.ts';
import type { ContainerFacts, Containers, ImageFacts } from '../containers.ts';
import { isEngineUnavailable } from '../docker/engine-failures.ts';
import type { ImageDigests } from './image-digests.ts';
import type { ImagePin, ImagePins } from './image-pins.ts';
import { provisionFailed } from './provision-steps.ts';

/**
 * The id of the image for a server's container: the image of a candidate, else the pinned image, else that of the
 * existing container, else the local image of the tag. Undefined: the image has to be pulled. So a tag that moves never
 * replaces a container.
 */
export type WantedImage = (
  config: ServerConfig,
  present: readonly ContainerFacts[],
) => Promise<string | undefined>;

export function createWantedImage({
  containers,
  pins,
}: {
  readonly containers: Pick<Containers, 'image'>;
  readonly pins: Pick<ImagePins, 'of'>;
}): WantedImage {
  return async (config, present) => {
    const { imageId } = config;
    // A candidate's image may have been removed from this engine and pulled again with another id.
    const isThere = imageId !== undefined && present.some((facts) => facts.imageId === imageId);
    if (isThere || (imageId !== undefined && (await containers.image(imageId)) !== undefined)) return imageId;
    const ofContainer = present.find(({ reference }) => reference === config.image)?.imageId;
    const pin = await pins.of(config.name).catch((error: unknown): ImagePin | undefined => {
      // While the database is away, an existing container continues to run.
      if (ofContainer === undefined) throw error;
      return undefined;
    });
    if (pin?.reference === config.image) return pin?.imageId;
    return ofContainer ?? (await containers.image(config.image ?? ''))?.id;
  };
}

/**
 * Makes sure that the image of a container is on this engine. A removed image is pulled again by its recorded digest,
 * which yields the same image, else by its tag, with a warning; the server then continues with the image of that tag.
 */
export type PresentImage = (config: ServerConfig, imageId: string | undefined) => Promise<ImageFacts>;

export interface PresentImageOptions {
  readonly containers: Pick<Containers, 'image' | 'pull'>;
  readonly pins: ImagePins;
  readonly digests: ImageDigests;
  /** Aborted when the service ends, which aborts every pull. */
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
    await digests.record(facts, config.image ?? '');
    return facts;
  };
}

export type PulledConfig = Pick<ServerConfig, 'pull'> & { readonly image: string };

export interface PulledImage extends ImageFacts {
  /** The reason why the local image is used although another one was requested. */
  readonly warning?: string;
}

/** Rejects as `Containers.pull`. */
export type PullImage = (image: string) => Promise<void>;

export interface PullingEngine extends Pick<Containers, 'image'> {
  readonly pull: PullImage;
}

/**
 * Pulls the image by the config's `pull` setting (docs/containers.md, "Images"). `always` pulls the newest image; when
 * the registry is away or refuses, the local image is used with a warning, so that images built here work too.
 * `missing` and `never` request no newer one.
 * @throws Failure `provision_failed`, step `pull`
 */
export async function pullByPolicy(
  { image, pull }: PulledConfig,
  engine: PullingEngine,
): Promise<PulledImage> {
  const name = localName(image);
  const local = async () => (name === undefined ? undefined : await engine.image(name));
  if (pull !== 'always') {
    const present = await local();
    if (present !== undefined) return present;
    if (pull === 'never') throw imageNotHere(image);
  }
  const problem = await problemOf(engine.pull(image));
  const pulled = await local();
  if (pulled !== undefined) {
    return problem === undefined ? pulled : { ...pulled, warning: localInstead(problem) };
  }
  throw problem ?? provisionFailed('pull', 'The image was removed again.', { status: 422 });
}

/** The registry's failure. Others are rethrown: a failure of the engine, and a cancellation. */
async function problemOf(pulling: Promise<void>): Promise<Failure | undefined> {
  try {
    await pulling;
    return undefined;
  } catch (error) {
    if (isEngineUnavailable(error) || !isAboutPulling(error)) throw error;
    return error;
  }
}

function isAboutPulling(error: unknown): error is Failure {
  return error instanceof Failure && error.code === 'provision_failed' && error.details?.step === 'pull';
}

function localInstead({ message }: Failure): string {
  return `${message} The image of this name that is here is used, which may be an older one; with \`"pull": "missing"\` no newer one is asked for.`;
}

export function imageNotHere(image: string): Failure {
  const sentence =
    `The image \`${image}\` is not here, and with \`"pull": "never"\` no registry is asked for it: ` +
    'build, load or pull it by hand, or take `pull` out of the config.';
  return provisionFailed('pull', sentence, { status: 422 });
}
