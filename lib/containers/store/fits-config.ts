import type { ServerConfig } from '../../config/server-config.ts';
import type { ContainerFacts, Containers } from '../containers.ts';
import { containerSpec } from './make-container.ts';
import type { ServerVolumes } from './server-volumes.ts';

/**
 * A keyed hash (HMAC-SHA-256) of everything that a container is made of, resolved values included, so that a changed
 * secret makes a new container. The hash is stored in labels and in the database, and must not help to guess those
 * values: the key is stored in neither.
 */
export type ConfigHash = (config: ServerConfig) => Promise<string>;

/** @param key Random, stored with this installation, never shown. With another key `FitsConfig` asks the engine. */
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
 * Equal when the same container would be made; time-outs and the like do not count. Members of later versions are last
 * and are omitted when absent, so that containers of earlier versions retain their hash.
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

/** Whether a container was made from this config, its values included, and from this image. */
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

/** By its hash, or, when that was made with another key, by comparison with the engine's facts. */
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
