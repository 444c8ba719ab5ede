import type { ServerConfig } from '../../config/server-config.ts';
import type { ContainerFacts, Containers } from '../containers.ts';
import { containerSpec } from './make-container.ts';
import type { ServerVolumes } from './server-volumes.ts';

/**
 * Tells whether a container was made for this config. It covers what a container is made of, resolved values
 * included, so that a changed secret makes a new container. It stands in labels and in the database, and must not
 * let anybody guess at those values: it is keyed (HMAC-SHA-256) with a key that is kept in neither.
 */
export type ConfigHash = (config: ServerConfig) => Promise<string>;

/** @param key Random, kept with this installation, never shown. With another key all containers are made anew. */
export function createConfigHash(key: string): ConfigHash {
  const utf8 = new TextEncoder();
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  let imported: Promise<CryptoKey> | undefined;
  return async (config) => {
    imported ??= crypto.subtle.importKey('raw', utf8.encode(key), algorithm, false, ['sign']);
    const signature = await crypto.subtle.sign('HMAC', await imported, utf8.encode(canonicalText(config)));
    return [...new Uint8Array(signature)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  };
}

/**
 * Equal when the same container would be made; time-outs and the like are no part of one. What came later stands last and
 * is left out where it is not given, so that containers of earlier versions keep their hash.
 */
function canonicalText(config: ServerConfig): string {
  const { image, command, args, env, network, readOnly, user, port, limits, entrypoint, shmMb } = config;
  const variables = Object.entries(env).sort(([a], [b]) => (a < b ? -1 : 1));
  const { memoryMb, cpus, pids } = limits;
  return JSON.stringify({
    image,
    command,
    args,
    variables,
    network,
    readOnly,
    user,
    port,
    memoryMb,
    cpus,
    pids,
    entrypoint,
    shmMb,
    volumes: unlessNone(config.volumes),
    capabilities: unlessNone(config.capabilities),
  });
}

function unlessNone<Value>(values: readonly Value[]): readonly Value[] | undefined {
  return values.length > 0 ? values : undefined;
}

/** Whether a container is made of this config, its values included, and of this image. */
export type FitsConfig = (
  facts: ContainerFacts,
  wanted: {
    /** With its references resolved. */
    readonly config: ServerConfig;
    /** Of the config. */
    readonly hash: string;
    readonly imageId: string | undefined;
  },
) => Promise<boolean>;

/** By its hash, else, where that was made with another key, by what the engine says of it. */
export function createFitsConfig({
  containers,
  serverVolumes,
}: {
  readonly containers: Pick<Containers, 'image' | 'isMadeLike'>;
  readonly serverVolumes: Pick<ServerVolumes, 'expected'>;
}): FitsConfig {
  return async (facts, { config, hash, imageId }) => {
    if (imageId === undefined || facts.imageId !== imageId) return false;
    if (facts.configHash === hash) return true;
    const declared = (await containers.image(imageId))?.volumes ?? [];
    const mounts = serverVolumes.expected(config, declared, facts);
    const { name, sessionId } = facts;
    const identity = { name, sessionId, configHash: hash, mounts };
    return await containers.isMadeLike(facts.id, containerSpec(config, identity));
  };
}
