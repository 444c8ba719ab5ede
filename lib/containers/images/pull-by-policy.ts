import { localName } from '../../config/image-reference.ts';
import type { ServerConfig } from '../../config/server-config.ts';
import { Failure } from '../../failure.ts';
import type { Containers, ImageFacts } from '../containers.ts';
import { isEngineUnavailable } from '../docker/engine-failures.ts';
import { provisionFailed } from './provision-failures.ts';

export type PulledConfig = Pick<ServerConfig, 'pull'> & { readonly image: string };

export interface PulledImage extends ImageFacts {
  /** The local image is used, although another one was asked for; says why. */
  readonly warning?: string;
}

/** Rejects as `Containers.pull`. */
export type PullImage = (image: string) => Promise<void>;

export interface PullingEngine extends Pick<Containers, 'image'> {
  readonly pull: PullImage;
}

/**
 * Has the image here as `pull` of the config says (docs/containers.md, "Images"). `always`: whoever asks wants the newest,
 * and is told when it is another one because the registry is away or refuses; that also lets images serve that were
 * built here. `missing` and `never` ask for no newer one.
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

/** What the registry could not do. Anything else is thrown on: the engine's trouble, and whoever called it off. */
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
