import type { ServerConfig } from '../../config/server-config.ts';
import { toHex } from '../../text/sha256.ts';

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
    return toHex(signature);
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
