import type { Catalog } from '../../lib/catalog/catalog.ts';
import type { FeatureCatalog } from '../../lib/catalog/features.ts';
import type { ShownImages } from '../../lib/containers/images/shown-images.ts';
import type { ContainerStore } from '../../lib/containers/store/container-store.ts';
import type { Bus } from '../../lib/events/bus.ts';
import type { Approvals } from '../../lib/groups/definitions/approvals.ts';
import type { Groups } from '../../lib/groups/groups.ts';
import type { FormerServers } from '../../lib/groups/visible/visible-features.ts';
import type { Log } from '../../lib/log.ts';
import type { ClientChannels } from '../../lib/mcp/calls.ts';
import type { Metrics } from '../../lib/observe/metrics.ts';
import type { ServerCalls } from '../../lib/observe/server-calls.ts';
import type { Registry } from '../../lib/registry/registry.ts';
import type { Secrets } from '../../lib/secrets/secrets.ts';
import type { StaticFiles } from '../../lib/server/page/static-files.ts';
import type { Problems } from '../../lib/server/problems.ts';
import type { ServiceInfo } from '../../lib/service-info.ts';
import type { Tries } from '../../lib/tries/tries.ts';
import type { RelayedServers } from '../../lib/upstreams/relay/relayed-servers.ts';
import type { Upstreams } from '../../lib/upstreams/upstreams.ts';

/**
 * The dependencies of the manager set's handlers, by type and at run time (`manager-context.ts` creates them). A
 * handler takes only the members that it uses.
 */
export interface ManagerContext {
  readonly service: ServiceInfo;
  readonly log: Log;
  readonly groups: Omit<Groups, 'close'>;
  readonly approvals: Approvals;
  readonly catalog: Pick<Catalog, 'isLoaded' | 'servers' | 'server' | 'tools' | 'tool'>;
  readonly features: Pick<FeatureCatalog, 'of' | 'problems'>;
  readonly formerServers: FormerServers;
  readonly registry: Omit<Registry, 'configOf'>;
  readonly upstreams: Pick<Upstreams, 'request' | 'status' | 'logs' | 'followLogs'>;
  readonly secrets: Pick<Secrets, 'method' | 'names' | 'isReachable'>;
  readonly bus: Pick<Bus, 'subscribe'>;
  /** Absent where no container engine is reachable. */
  readonly containers: ServerContainers | undefined;
  /** Absent like `containers`. */
  readonly shownImages: Pick<ShownImages, 'refresh' | 'of'> | undefined;
  readonly metrics: Pick<Metrics, 'render'>;
  readonly serverCalls: Pick<ServerCalls, 'of' | 'refresh'>;
  readonly problems: Problems;
  readonly staticFiles: StaticFiles;
  /** The clients of calls that other processes relay to this one. */
  readonly clientChannels: Pick<ClientChannels, 'find'>;
  /** Whether this `Authorization` is that of another process on the database, which relays calls to this one. */
  readonly isRelay: (authorization: string | null) => Promise<boolean>;
  readonly relayedServers: Pick<RelayedServers, 'add'>;
  /** The caller has administration rights: the admin socket, or behind `ADMIN_TOKEN` (SECURITY.md, Rights). */
  readonly isAdministrator: boolean;
  readonly tries: Tries;
  /** The caller may call any tool: with administration rights, or where only this machine reaches the port. */
  readonly mayTry: boolean;
}

/** The containers as the manager shows them. */
export type ServerContainers = Pick<ContainerStore, 'status' | 'logs' | 'followLogs' | 'data'> &
  Partial<Pick<ContainerStore, 'problem'>>;

/** For handlers that read a group. */
export type GroupReadingContext = Pick<ManagerContext, 'groups' | 'catalog' | 'service'>;

/** For handlers that change which tools a group has, or which definitions are approved for it. */
export type ToolsContext = Pick<ManagerContext, 'groups' | 'catalog' | 'approvals' | 'service'>;
