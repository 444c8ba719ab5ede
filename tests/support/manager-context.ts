import type { ManagerContext } from '../../handlers/manager/context.ts';
import { stillStarting } from '../../lib/failure.ts';
import { silentLog } from '../../lib/log.ts';
import { createRelayedServers } from '../../lib/upstreams/relay/relayed-servers.ts';

/** Members of the context that a test brings; of the larger ones only what its handlers call. */
export interface ContextParts
  extends Partial<
    Omit<ManagerContext, 'service' | 'groups' | 'registry' | 'upstreams' | 'secrets' | 'problems'>
  > {
  readonly service?: Partial<ManagerContext['service']>;
  readonly groups?: Partial<ManagerContext['groups']>;
  readonly registry?: Partial<ManagerContext['registry']>;
  readonly upstreams?: Partial<ManagerContext['upstreams']>;
  readonly secrets?: Partial<ManagerContext['secrets']>;
  readonly problems?: Partial<ManagerContext['problems']>;
}

/** The context of the manager's handlers where nothing is stored; whatever would change something fails. */
export function createManagerContext(parts: ContextParts = {}): ManagerContext {
  const { service, groups, registry, upstreams, secrets, problems, ...others } = parts;
  return {
    log: silentLog,
    approvals: {
      approved: () => new Map(),
      approve: notBrought('approvals.approve'),
      copy: notBrought('approvals.copy'),
      find: async () => undefined,
    },
    catalog: {
      isLoaded: () => true,
      servers: () => [],
      server: () => undefined,
      tools: () => [],
      tool: () => undefined,
    },
    features: { of: () => undefined, problems: () => [] },
    formerServers: { serverOf: () => undefined },
    bus: { subscribe: () => () => {} },
    containers: undefined,
    shownImages: undefined,
    metrics: { render: async () => '' },
    serverCalls: { of: () => ({ total: 0, failed: 0, inFlight: 0, recent: [] }), refresh: async () => {} },
    staticFiles: { read: () => undefined },
    clientChannels: { find: async () => undefined },
    isRelay: async () => false,
    relayedServers: createRelayedServers(),
    isAdministrator: false,
    mayTry: false,
    tries: { run: notBrought('tries.run') },
    ...others,
    service: {
      version: '1.2.3',
      defaultGroup: 'svc-global',
      gatewayUrl: () => 'http://127.0.0.1:3700',
      managerUrl: () => 'http://127.0.0.1:3701',
      gatewayNeedsToken: false,
      gatewayCommand: () => 'node /opt/gateway/bin/svc-mcp.js',
      groupsDir: 'groups',
      maxBodyBytes: 65_536,
      allowedImages: [],
      allowedUpstreams: [],
      notReadyBecause: async () => undefined,
      notLoaded: stillStarting,
      ...service,
    },
    groups: {
      isLoaded: () => true,
      names: () => [],
      read: () => undefined,
      renamedTo: () => undefined,
      create: notBrought('groups.create'),
      change: notBrought('groups.change'),
      rename: notBrought('groups.rename'),
      remove: notBrought('groups.remove'),
      ...groups,
    },
    registry: {
      register: notBrought('registry.register'),
      provision: notBrought('registry.provision'),
      deregister: notBrought('registry.deregister'),
      restart: notBrought('registry.restart'),
      update: notBrought('registry.update'),
      rollBack: notBrought('registry.rollBack'),
      checkUpdate: notBrought('registry.checkUpdate'),
      problem: () => undefined,
      folderProblem: () => undefined,
      brokenFiles: () => new Map(),
      ...registry,
    },
    upstreams: {
      request: notBrought('upstreams.request'),
      status: () => undefined,
      logs: () => [],
      followLogs: () => () => {},
      ...upstreams,
    },
    secrets: {
      method: 'env_file',
      names: notBrought('secrets.names'),
      isReachable: async () => true,
      ...secrets,
    },
    problems: { database: async () => undefined, engine: async () => undefined, ...problems },
  };
}

function notBrought(member: string): () => Promise<never> {
  return () => Promise.reject(new Error(`This test brings no \`${member}\`.`));
}
