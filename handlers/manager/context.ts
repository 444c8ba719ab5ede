import type { Catalog } from '../../lib/catalog/catalog.ts';
import type { FeatureCatalog } from '../../lib/catalog/features.ts';
import type { ShownImages } from '../../lib/containers/images/shown-images.ts';
import type { ContainerStore } from '../../lib/containers/store/container-store.ts';
import type { Bus } from '../../lib/events/bus.ts';
import type { Approvals } from '../../lib/groups/definitions/approvals.ts';
import type { Groups } from '../../lib/groups/groups.ts';
import type { FormerServers } from '../../lib/groups/names/former-servers.ts';
import type { Log } from '../../lib/log.ts';
import type { ClientChannels } from '../../lib/mcp/calls/client-channels.ts';
import type { Metrics } from '../../lib/observe/metrics.ts';
import type { ServerCalls } from '../../lib/observe/server-calls.ts';
import type { Registry } from '../../lib/registry/registry.ts';
import type { Secrets } from '../../lib/secrets/secrets.ts';
import type { StaticFiles } from '../../lib/server/page/static-files.ts';
import type { Problems } from '../../lib/server/problems.ts';
import type { ServiceInfo } from '../../lib/service-info.ts';
import type { Tries } from '../../lib/tries/tries.ts';
import type { Upstreams } from '../../lib/upstreams/upstreams.ts';

/** What a handler of the manager set is given. Types only: everything is created in `server.ts`. */
export interface ManagerContext {
  readonly service: ServiceInfo;
  readonly groups: Groups;
  readonly approvals: Approvals;
  readonly catalog: Catalog;
  readonly features: Pick<FeatureCatalog, 'of' | 'problems'>;
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
  readonly clientChannels: ClientChannels;
  /** What other processes prove themselves with that relay calls to our containers; undefined: we own none. */
  readonly relayToken: () => Promise<string | undefined>;
  /** The caller has administration rights: the admin socket, or behind `ADMIN_TOKEN` (SECURITY.md, Rights). */
  readonly isAdministrator: boolean;
  readonly tries: Tries;
  /** The caller may call any tool: with administration rights, or where only this machine reaches the port. */
  readonly mayTry: boolean;
}

/** What the manager shows of containers. */
export type ServerContainers = Pick<ContainerStore, 'status' | 'logs' | 'followLogs' | 'data'> &
  Partial<Pick<ContainerStore, 'problem'>>;
