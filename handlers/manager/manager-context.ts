import type { ShownImages } from '../../lib/containers/images/shown-images.ts';
import type { ManagerContext, ServerContainers } from './context.ts';

/** Comes to `managerContext` apart from the services. */
type Fact = 'service' | 'log' | 'isAdministrator' | 'mayTry';

/** What `managerContext` reads of the services; whatever else they have stays out. */
export interface ManagerServices
  extends Omit<ManagerContext, Fact | 'containers' | 'shownImages' | 'relayToken'> {
  readonly host: {
    readonly containerStore: Required<ServerContainers>;
    readonly shownImages: Pick<ShownImages, 'look' | 'of'>;
    readonly relayToken: ManagerContext['relayToken'];
  };
}

/** Member by member: a spread of the services would hand handlers the database, the engine and every `close`. */
export function managerContext(
  services: ManagerServices,
  { service, log, isAdministrator, mayTry }: Pick<ManagerContext, Fact>,
): ManagerContext {
  const { groups, approvals, catalog, registry, upstreams, secrets } = services;
  const { containerStore, shownImages, relayToken } = services.host;
  return {
    ...{ service, log, isAdministrator, mayTry, relayToken },
    groups: {
      isLoaded: groups.isLoaded,
      names: groups.names,
      read: groups.read,
      renamedTo: groups.renamedTo,
      create: groups.create,
      change: groups.change,
      rename: groups.rename,
      remove: groups.remove,
    },
    approvals: {
      approved: approvals.approved,
      approve: approvals.approve,
      copy: approvals.copy,
      find: approvals.find,
    },
    catalog: {
      isLoaded: catalog.isLoaded,
      servers: catalog.servers,
      server: catalog.server,
      tools: catalog.tools,
      tool: catalog.tool,
    },
    features: { of: services.features.of, problems: services.features.problems },
    formerServers: { serverOf: services.formerServers.serverOf },
    registry: {
      register: registry.register,
      provision: registry.provision,
      deregister: registry.deregister,
      restart: registry.restart,
      update: registry.update,
      rollBack: registry.rollBack,
      checkUpdate: registry.checkUpdate,
      problem: registry.problem,
      folderProblem: registry.folderProblem,
      brokenFiles: registry.brokenFiles,
    },
    upstreams: {
      request: upstreams.request,
      status: upstreams.status,
      logs: upstreams.logs,
      followLogs: upstreams.followLogs,
    },
    secrets: { method: secrets.method, names: secrets.names, isReachable: secrets.isReachable },
    bus: { subscribe: services.bus.subscribe },
    containers: {
      status: containerStore.status,
      logs: containerStore.logs,
      followLogs: containerStore.followLogs,
      data: containerStore.data,
      problem: containerStore.problem,
    },
    shownImages: { look: shownImages.look, of: shownImages.of },
    metrics: { render: services.metrics.render },
    serverCalls: { of: services.serverCalls.of, look: services.serverCalls.look },
    problems: { database: services.problems.database, engine: services.problems.engine },
    staticFiles: { read: services.staticFiles.read },
    clientChannels: { find: services.clientChannels.find },
    tries: { run: services.tries.run },
  };
}
