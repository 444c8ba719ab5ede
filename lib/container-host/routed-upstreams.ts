import type { ServerConfig } from '../config/server-config.ts';
import { unavailable } from '../upstreams/upstream-failures.ts';
import type { UpstreamStatus, Upstreams } from '../upstreams/upstreams.ts';
import type { AbsentOwner } from './container-owner.ts';

/**
 * One `Upstreams` over those of this process and those of others, transparent to handlers: the owner of the containers
 * (docs/decisions/0009), and for a process without folders a manager (docs/decisions/0029). Only calls are relayed;
 * operations that change a container run in the owner and are refused elsewhere.
 */
export interface RoutedUpstreamsDependencies {
  readonly local: Upstreams;
  /** The owner of the containers. */
  readonly remote: Pick<Upstreams, 'request'>;
  /** A manager. */
  readonly manager: Pick<Upstreams, 'request'>;
  /** The registered servers. */
  readonly catalog: { server(name: string): { readonly config: ServerConfig } | undefined };
  /** Whether this process holds the connections of servers in containers now. */
  readonly isOwner: () => boolean;
  /** Why this process does not hold them. */
  readonly absent: Pick<AbsentOwner, 'reason' | 'known'>;
  /** Of a server that is in no container: this process lacks what it needs. */
  readonly needsManager: (config: ServerConfig) => boolean;
}

/** Another process that serves a server's calls. */
interface Elsewhere extends Pick<Upstreams, 'request'> {
  /** Continues "the server is unavailable: …". */
  reason(): Promise<string>;
  /** The problem to show as the server's status, when last looked at. */
  known(): string | undefined;
}

export function createRoutedUpstreams(dependencies: RoutedUpstreamsDependencies): Upstreams {
  const { local, remote, catalog, isOwner, absent, needsManager } = dependencies;
  const owner: Elsewhere = { ...remote, ...absent };
  const manager: Elsewhere = {
    ...dependencies.manager,
    reason: async () => 'only a manager can do this with it',
    known: () => undefined,
  };

  function elsewhere(config: ServerConfig | undefined): Elsewhere | undefined {
    if (config === undefined) return undefined;
    if (config.image !== undefined) return isOwner() ? undefined : owner;
    return needsManager(config) ? manager : undefined;
  }

  const placeOf = (server: string) => elsewhere(catalog.server(server)?.config);

  async function assertHere(server: string, place = placeOf(server)): Promise<void> {
    if (place !== undefined) throw unavailable(server, await place.reason());
  }

  return {
    ...local,
    request: (request) => (placeOf(request.server) ?? local).request(request),
    async prepare(config, signal) {
      await assertHere(config.name, elsewhere(config));
      return await local.prepare(config, signal);
    },
    async connect(name) {
      await assertHere(name);
      return await local.connect(name);
    },
    async relist(name) {
      await assertHere(name);
      return await local.relist(name);
    },
    async restart(name) {
      await assertHere(name);
      return await local.restart(name);
    },
    status(name) {
      const place = placeOf(name);
      return place === undefined ? local.status(name) : statusElsewhere(name, place.known());
    },
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
