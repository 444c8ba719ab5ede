import type { ServerConfig } from '../config/server-config.ts';
import type { ContainerSpec } from './containers.ts';

/**
 * @param config With its references resolved.
 * @param identity With the image that is meant, by id where it is pinned, and what is mounted.
 */
export function containerSpec(
  config: ServerConfig,
  identity: Pick<ContainerSpec, 'name' | 'sessionId' | 'configHash'> &
    Partial<Pick<ContainerSpec, 'image' | 'mounts'>>,
): ContainerSpec {
  const { memoryMb, cpus, pids } = config.limits;
  return {
    image: config.image ?? '',
    reference: config.image ?? '',
    mounts: [],
    ...identity,
    server: config.name,
    entrypoint: config.entrypoint,
    shmMb: config.shmMb,
    capabilities: config.capabilities,
    // Both are the container's Cmd; the image's entrypoint stays unless one is given (contract section 4).
    command: config.command === undefined ? config.args : [config.command, ...config.args],
    env: config.env,
    limits: { memoryMb, cpus, pids },
    network: config.network,
    readOnly: config.readOnly,
    user: config.user,
    port: config.transport === 'stdio' ? undefined : config.port,
  };
}
