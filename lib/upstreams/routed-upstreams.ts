import type { ServerConfig } from '../catalog/server-config.ts';
import { unavailable } from './upstream-failures.ts';
import type { Upstreams } from './upstreams.ts';

/**
 * One `Upstreams` over those of this process and those of the process that owns the containers, so that handlers
 * cannot tell (architecture section 5). Only calls travel; what changes a container is the owner's own business and
 * refused elsewhere.
 */
export interface RoutedUpstreamsDependencies {
  readonly local: Upstreams;
  readonly remote: Pick<Upstreams, 'request'>;
  /** Whether another process has to hold the connections of a server of this config now. */
  readonly isRemote: (config: ServerConfig) => boolean;
  /** Of a registered server. */
  readonly configOf: (server: string) => ServerConfig | undefined;
}

export function createRoutedUpstreams(dependencies: RoutedUpstreamsDependencies): Upstreams {
  const { local, remote, configOf } = dependencies;
  const isRemote = (server: string) => {
    const config = configOf(server);
    return config !== undefined && dependencies.isRemote(config);
  };
  return {
    ...local,
    request: (request) => (isRemote(request.server) ? remote.request(request) : local.request(request)),
    async prepare(config, signal) {
      if (dependencies.isRemote(config)) throw looksElsewhere(config.name);
      return await local.prepare(config, signal);
    },
    async connect(name) {
      if (isRemote(name)) throw looksElsewhere(name);
      return await local.connect(name);
    },
    async listAgain(name) {
      if (isRemote(name)) throw looksElsewhere(name);
      return await local.listAgain(name);
    },
    async restart(name) {
      if (isRemote(name)) throw looksElsewhere(name);
      return await local.restart(name);
    },
    status: (name) => (isRemote(name) ? undefined : local.status(name)),
  };
}

function looksElsewhere(server: string) {
  return unavailable(server, 'another process of this installation looks after its container');
}
