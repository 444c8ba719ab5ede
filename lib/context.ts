import type { Catalog } from './catalog/catalog.ts';
import type { Offers } from './catalog/offers.ts';
import type { Registry } from './catalog/registry.ts';
import type { ContainerKeeper } from './containers/container-keeper.ts';
import type { ShownImages } from './containers/shown-images.ts';
import type { Bus } from './events/bus.ts';
import type { Acceptance } from './groups/acceptance.ts';
import type { FormerServers } from './groups/former-servers.ts';
import type { Groups } from './groups/groups.ts';
import type { StaticFiles } from './http/static-files.ts';
import type { Callers } from './mcp/callers.ts';
import type { EndpointDependencies } from './mcp/endpoint.ts';
import type { EventStreams } from './mcp/event-streams.ts';
import type { Log } from './observe/log.ts';
import type { Metrics } from './observe/metrics.ts';
import type { Problems } from './observe/problems.ts';
import type { ServerCalls } from './observe/server-calls.ts';
import type { Secrets } from './secrets/secrets.ts';
import type { Service } from './service.ts';
import type { Tries } from './tries/tries.ts';
import type { Upstreams } from './upstreams/upstreams.ts';

/** What a handler of the manager set is given. Types only: everything is created in `server.ts`. */
export interface ManagerContext {
  readonly service: Service;
  readonly groups: Groups;
  readonly acceptance: Acceptance;
  readonly catalog: Catalog;
  readonly offers: Pick<Offers, 'of' | 'problems'>;
  readonly formerServers: FormerServers;
  readonly registry: Registry;
  readonly upstreams: Upstreams;
  readonly secrets: Secrets;
  readonly bus: Bus;
  /** Absent where there is no way to a container engine. */
  readonly containers: ServerContainers | undefined;
  /** Absent like `containers`. */
  readonly shownImages: ShownImages | undefined;
  readonly metrics: Metrics;
  readonly serverCalls: ServerCalls;
  readonly problems: Problems;
  readonly staticFiles: StaticFiles;
  readonly log: Log;
  /** The clients of calls that other processes relay here. */
  readonly callers: Callers;
  /** What other processes prove themselves with that relay calls to our containers; undefined: we own none. */
  readonly relayToken: () => Promise<string | undefined>;
  /** The caller has administration rights: the admin socket, or behind `ADMIN_TOKEN` (SECURITY.md, Rights). */
  readonly isAdministrator: boolean;
  readonly tries: Tries;
  /** The caller may call any tool: with administration rights, or where only this machine reaches the port. */
  readonly mayTry: boolean;
}

/** What the manager shows of containers. */
export type ServerContainers = Pick<ContainerKeeper, 'status' | 'logs' | 'followLogs' | 'data'> &
  Partial<Pick<ContainerKeeper, 'problem'>>;

/**
 * What a handler of the gateway set is given: no way to Docker, secrets and registration, by type and when it runs
 * (`gateway-context.ts` makes it).
 */
export interface GatewayContext {
  readonly service: Service;
  readonly catalog: Pick<Catalog, 'isLoaded' | 'tools'>;
  readonly endpoint: EndpointDependencies;
  readonly streams: EventStreams;
  readonly metrics: Metrics;
  readonly log: Log;
}
