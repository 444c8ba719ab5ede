import { Failure } from '../failure.ts';

/**
 * Names of container images: the reference grammar of the registries (`[host[:port]/]path[:tag][@digest]`) and the
 * patterns of `ALLOWED_IMAGES`. Checked before any request to an engine, whose API could otherwise get flags, query
 * strings or paths in the place of a name.
 */

const component = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*';
const host = '(?:[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?(?::[0-9]{1,5})?/)?';
const longestReference = 400;
const reference = new RegExp(
  `^${host}${component}(?:/${component})*(?::[A-Za-z0-9_][A-Za-z0-9_.-]{0,127})?(?:@sha256:[0-9a-f]{64})?$`,
);

/** The rule of image references, for JSON Schema. */
export const imageReferenceKeywords = { maxLength: longestReference, pattern: reference.source };

export function isImageReference(image: string): boolean {
  return image.length <= longestReference && reference.test(image);
}

/**
 * @param patterns Image names in which `*` stands for any text without a slash; a pattern without a tag allows every
 *   tag. An empty list allows every image.
 */
export function isImageAllowed(image: string, patterns: readonly string[]): boolean {
  if (patterns.length === 0) return true;
  const full = withoutDefaults(image);
  const untagged = imageRepository(image);
  return patterns.some((pattern) => {
    const matches = toExpression(withoutDefaults(pattern));
    return matches.test(full) || matches.test(untagged);
  });
}

/** The image's name without tag and digest; the same for every spelling of the default registry. */
export function imageRepository(image: string): string {
  return withoutDefaults(image)
    .replace(/@.*$/, '')
    .replace(/:[^/:]*$/, '');
}

/**
 * The registry that an image is pulled from, `host[:port]` in lower case, parsed as the engine does; `docker.io` where
 * none is named.
 */
export function registryOf(image: string): string {
  const [first = '', ...rest] = image.split('/');
  const isHost = rest.length > 0 && (/[.:A-Z]/.test(first) || first === 'localhost');
  return isHost ? registryName(first) : dockerHub;
}

/**
 * The name by which to look up a local image on the engine, always with a tag: a text without one, or `sha256:…`, would
 * also match the beginning of an id, and so find other images. Undefined: the text can only be an id.
 */
export function localName(image: string): string | undefined {
  if (/^sha256:/.test(image)) return undefined;
  return /[:@][^/]*$/.test(image) ? image : `${image}:latest`;
}

/** One name for every spelling of a registry: with a scheme and a path, or as one of Docker Hub's host names. */
export function registryName(address: string): string {
  const host = address
    .replace(/^https?:\/\//i, '')
    .replace(/\/.*$/s, '')
    .toLowerCase();
  return namesOfDockerHub.has(host) ? dockerHub : host;
}

export const dockerHub = 'docker.io';
const namesOfDockerHub = new Set([dockerHub, 'index.docker.io', 'registry-1.docker.io']);

/** @throws Failure `image_not_allowed` */
export function assertImageAllowed(image: string, patterns: readonly string[]): void {
  if (isImageAllowed(image, patterns)) return;
  throw new Failure('image_not_allowed', 'This image may not be provisioned here; see `ALLOWED_IMAGES`.');
}

/**
 * `docker.io/library/alpine` and `alpine` are one image; a pattern for one must match the other. `library/` is removed
 * only before a single component, and `docker.io/` only where the rest does not begin like another registry.
 */
function withoutDefaults(image: string): string {
  return image
    .replace(/^(?:index\.)?docker\.io\/(?!localhost\/|[^/]*[.:A-Z][^/]*\/)/, '')
    .replace(/^library\/(?=[^/]*$)/, '');
}

function toExpression(pattern: string): RegExp {
  const parts = pattern.split(/\*+/).map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`^${parts.join('[^/]*')}$`);
}
