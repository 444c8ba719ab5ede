import type Docker from 'dockerode';
import { type Failure, toFailure } from '../../failure.ts';
import type { Log } from '../../log.ts';
import { createRedaction } from '../../secrets/redaction.ts';
import { sha256 } from '../../text/sha256.ts';
import type { Containers } from '../containers.ts';
import {
  type FoundCredentials,
  type RegistryAuth,
  type RegistryCredentials,
  secretsOf,
} from '../credentials/registry-credentials.ts';
import { isEngineUnavailable, pullFailure } from './engine-failures.ts';
import { abortable, type DockerClient, engineMessage, isRefusal, unlessGone } from './node-docker-client.ts';
import { factsOfImage } from './node-docker-facts.ts';
import { pullImage } from './node-docker-pull.ts';

/** The engine's local images, and the images at registries. */
export function createDockerImages(
  client: DockerClient,
  credentials: RegistryCredentials,
  log: Log,
): Pick<Containers, 'pull' | 'image'> {
  return {
    async image(image) {
      const info = await unlessGone(() =>
        client.run((docker, abortSignal) => docker.getImage(image).inspect(abortable({}, abortSignal))),
      );
      return info && factsOfImage(info);
    },
    async pull(image, onProgress, signal) {
      const found = await credentials.find(image);
      try {
        await pullImage(client, { image, credentials: found }, onProgress, signal);
      } catch (error) {
        if (!signal.aborted && !isEngineUnavailable(error)) notify(toFailure(error), image, found.troubles);
        throw error;
      }
    },
  };

  function notify({ message, cause }: Failure, image: string, troubles: readonly string[]): void {
    log.warn({ image, reason: String(cause), ...(troubles.length > 0 ? { troubles } : {}) }, message);
  }
}

/**
 * Tags of ours on the images of servers, `svc-mcp-kept/<deployment>/<server>:<first digits of the id>`: without one,
 * `docker image prune` would remove an image whose own tag has moved on.
 */
export function createDockerPinnedImages(
  client: DockerClient,
  deploymentId: string,
): Pick<Containers, 'keepImages'> {
  async function tagsOf(repo: string): Promise<string[]> {
    const filters = JSON.stringify({ reference: [repo] });
    const listed = await client.run((docker, abortSignal) =>
      docker.listImages(abortable({ filters }, abortSignal)),
    );
    return listed.flatMap(({ RepoTags: tags }) => tags ?? []).filter((tag) => tag.startsWith(`${repo}:`));
  }

  async function untag(tag: string): Promise<void> {
    try {
      await unlessGone(() =>
        client.run((docker, abortSignal) => docker.getImage(tag).remove(abortable({}, abortSignal))),
      );
    } catch (error) {
      // This is its last tag, and a container is made from it: the tag stays.
      if (!isRefusal(error, 409)) throw error;
    }
  }

  return {
    async keepImages(server, imageIds) {
      const repo = `svc-mcp-kept/${deploymentId}/${await lowerCase(server)}`;
      const wanted = new Map(imageIds.map((id) => [`${repo}:${id.replace(/^.*:/, '').slice(0, 12)}`, id]));
      const present = await tagsOf(repo);
      for (const [name, id] of wanted) {
        if (present.includes(name)) continue;
        const tag = name.slice(repo.length + 1);
        await unlessGone(() =>
          client.run((docker, abortSignal) => docker.getImage(id).tag(abortable({ repo, tag }, abortSignal))),
        );
      }
      for (const name of present) if (!wanted.has(name)) await untag(name);
    },
  };
}

/** Image names have no capitals, server names may; two servers that differ only in case get different tags. */
async function lowerCase(server: string): Promise<string> {
  const name = server.toLowerCase();
  return name === server ? name : `${name}-${(await sha256(server)).slice(0, 8)}`;
}

/** The library's own request for this cannot be aborted. */
interface Dialled {
  readonly path: string;
  readonly method: 'GET';
  readonly statusCodes: Readonly<Record<number, string | true>>;
  readonly authconfig: RegistryAuth | undefined;
  readonly abortSignal: AbortSignal;
}

interface Dialler {
  dial(request: Dialled, done: (error: Error | null, answer: unknown) => void): void;
}

/** The engine requests the digest from the registry; the answer is awaited. */
const limitMs = 20_000;

/**
 * The registry's current digest of this name, requested by the engine, which knows how to reach the registry (mirrors,
 * certificates).
 * @param image A reference: its grammar excludes the characters that have a meaning in a URL's path.
 * @throws Failure as `Containers.pull`
 */
export async function readRegistryDigest(
  client: DockerClient,
  image: string,
  credentials: FoundCredentials,
): Promise<string> {
  const { auth } = credentials;
  const redaction = createRedaction();
  if (auth) redaction.hide(secretsOf(auth));
  const failed = (text: string) =>
    pullFailure({ image, credentials, isUnderWay: false }, redaction.apply(text));
  try {
    const digest = digestIn(await client.run((docker, signal) => ask(docker, image, auth, signal), limitMs));
    if (digest !== undefined) return digest;
  } catch (error) {
    if (isEngineUnavailable(error)) throw error;
    throw failed(engineMessage(error));
  }
  throw failed('its registry answered without a digest');
}

function ask(
  { modem }: Docker,
  image: string,
  authconfig: RegistryAuth | undefined,
  abortSignal: AbortSignal,
): Promise<unknown> {
  const path = `/distribution/${image}/json`;
  const statusCodes = { 200: true, 401: 'unauthorized', 403: 'denied', 404: 'not found' } as const;
  return new Promise((resolve, reject) => {
    (modem as Dialler).dial({ path, method: 'GET', statusCodes, authconfig, abortSignal }, (error, answer) =>
      error ? reject(error) : resolve(answer),
    );
  });
}

function digestIn(answer: unknown): string | undefined {
  const { digest } = (answer as { readonly Descriptor?: { readonly digest?: unknown } }).Descriptor ?? {};
  return typeof digest === 'string' && /^sha256:[0-9a-f]{64}$/.test(digest) ? digest : undefined;
}
