import type { ServerConfig } from '../config/server-config.ts';
import { unavailable } from '../upstreams/upstream-failures.ts';
import type { UpstreamStatus, Upstreams } from '../upstreams/upstreams.ts';
import type { AbsentOwner } from './container-owner.ts';

/**
 * One `Upstreams` over those of this process and those of the owner of the containers, transparent to handlers
 * (docs/decisions/0009). Only calls are relayed; operations that change a container run in the owner and are refused
 * elsewhere.
 */
export interface RoutedUpstreamsDependencies {
  readonly local: Upstreams;
  readonly remote: Pick<Upstreams, 'request'>;
  /** The registered servers. */
  readonly catalog: { server(name: string): { readonly config: ServerConfig } | undefined };
  /** Whether this process holds the connections of servers in containers now. */
  readonly isOwner: () => boolean;
  /** Why this process does not hold them. */
  readonly absent: Pick<AbsentOwner, 'reason' | 'known'>;
}

export function createRoutedUpstreams(dependencies: RoutedUpstreamsDependencies): Upstreams {
  const { local, remote, catalog, isOwner, absent } = dependencies;
  const notHere = async (server: string) => unavailable(server, await absent.reason());
  const isRemote = (server: string) => catalog.server(server)?.config.image !== undefined && !isOwner();
  return {
    ...local,
    request: (request) => (isRemote(request.server) ? remote.request(request) : local.request(request)),
    async prepare(config, signal) {
      if (config.image !== undefined && !isOwner()) throw await notHere(config.name);
      return await local.prepare(config, signal);
    },
    async connect(name) {
      if (isRemote(name)) throw await notHere(name);
      return await local.connect(name);
    },
    async relist(name) {
      if (isRemote(name)) throw await notHere(name);
      return await local.relist(name);
    },
    async restart(name) {
      if (isRemote(name)) throw await notHere(name);
      return await local.restart(name);
    },
    status: (name) => (isRemote(name) ? statusElsewhere(name, absent.known()) : local.status(name)),
  };
}

/** Undefined when another process holds the connections. */
function statusElsewhere(server: string, problem: string | undefined): UpstreamStatus | undefined {
  if (problem === undefined) return undefined;
  return {
    state: 'failed',
    lastError: unavailable(server, problem).message,
    connectedAt: undefined,
    missingVariables: [],
    pid: undefined,
    callsInFlight: 0,
  };
}
