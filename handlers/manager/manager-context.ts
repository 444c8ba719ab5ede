import type { ShownImages } from '../../lib/containers/images/shown-images.ts';
import { isBearer } from '../../lib/http/guard.ts';
import { pick } from '../pick.ts';
import type { ManagerContext, ServerContainers } from './context.ts';

/** The dependencies of `managerContext` besides the services. */
type Fact = 'service' | 'log' | 'isAdministrator' | 'mayTry';

/** The members of the services that `managerContext` uses. */
export interface ManagerServices
  extends Omit<ManagerContext, Fact | 'containers' | 'shownImages' | 'isRelay'> {
  readonly host: {
    readonly containerStore: Required<ServerContainers>;
    readonly shownImages: Pick<ShownImages, 'refresh' | 'of'>;
    /** Undefined while this process does not own the containers. */
    readonly relayToken: () => Promise<string | undefined>;
  };
  readonly relayProcesses: { readonly token: string };
}

/** Member by member: a spread of the services would give handlers the database, the engine and every `close`. */
export function managerContext(
  services: ManagerServices,
  { service, log, isAdministrator, mayTry }: Pick<ManagerContext, Fact>,
): ManagerContext {
  const { groups, approvals, catalog, registry, upstreams, secrets } = services;
  const { containerStore, shownImages, relayToken } = services.host;
  const { token } = services.relayProcesses;
  const isRelay = async (authorization: string | null) =>
    isBearer(authorization, token) || isBearer(authorization, (await relayToken()) ?? token);
  return {
    ...{ service, log, isAdministrator, mayTry, isRelay },
    groups: pick(groups, 'isLoaded', 'names', 'read', 'renamedTo', 'create', 'change', 'rename', 'remove'),
    approvals: pick(approvals, 'approved', 'approve', 'copy', 'find'),
    catalog: pick(catalog, 'isLoaded', 'servers', 'server', 'tools', 'tool'),
    features: pick(services.features, 'of', 'problems'),
    formerServers: pick(services.formerServers, 'serverOf'),
    registry: pick(
      registry,
      'register',
      'provision',
      'deregister',
      'restart',
      'update',
      'rollBack',
      'checkUpdate',
      'problem',
      'folderProblem',
      'brokenFiles',
    ),
    upstreams: pick(upstreams, 'request', 'status', 'logs', 'followLogs'),
    secrets: pick(secrets, 'method', 'names', 'isReachable'),
    bus: pick(services.bus, 'subscribe'),
    containers: pick(containerStore, 'status', 'logs', 'followLogs', 'data', 'problem'),
    shownImages: pick(shownImages, 'refresh', 'of'),
    metrics: pick(services.metrics, 'render'),
    serverCalls: pick(services.serverCalls, 'of', 'refresh'),
    problems: pick(services.problems, 'database', 'engine'),
    staticFiles: pick(services.staticFiles, 'read'),
    relayedServers: pick(services.relayedServers, 'add'),
    clientChannels: pick(services.clientChannels, 'find'),
    tries: pick(services.tries, 'run'),
  };
}
