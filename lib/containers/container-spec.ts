import type { ServerConfig } from '../catalog/server-config.ts';
import type { ContainerSpec } from './containers.ts';

/** @param config With its references resolved. */
export function containerSpec(
  config: ServerConfig,
  identity: Pick<ContainerSpec, 'name' | 'sessionId' | 'configHash'>,
): ContainerSpec {
  const { memoryMb, cpus, pids } = config.limits;
  return {
    ...identity,
    server: config.name,
    image: config.image ?? '',
    // Both are the container's Cmd; the image's entrypoint stays (contract section 4).
    command: config.command === undefined ? config.args : [config.command, ...config.args],
    env: config.env,
    limits: { memoryMb, cpus, pids },
    network: config.network,
    readOnly: config.readOnly,
    user: config.user,
    port: config.transport === 'stdio' ? undefined : config.port,
  };
}
