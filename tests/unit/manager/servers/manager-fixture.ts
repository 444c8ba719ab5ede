import type { ManagerContext, ServerContainers } from '../../../../handlers/manager/context.ts';
import { managerRoutes } from '../../../../handlers/manager/routes.ts';
import { serveManager } from '../../../../handlers/manager/serve-manager.ts';
import type { ShownImages } from '../../../../lib/containers/images/shown-images.ts';
import type { ServerData } from '../../../../lib/containers/store/container-data.ts';
import { createLocalBus } from '../../../../lib/events/local-bus.ts';
import type { Groups } from '../../../../lib/groups/groups.ts';
import type { Registry } from '../../../../lib/registry/registry.ts';
import type { Secrets } from '../../../../lib/secrets/secrets.ts';
import type { Problems } from '../../../../lib/server/problems.ts';
import type { Upstreams } from '../../../../lib/upstreams/upstreams.ts';
import { createMemoryCatalog, type MemoryCatalog } from '../../../support/memory-catalog.ts';
import { createMemoryOffers } from '../../../support/memory-offers.ts';
import { createRecordingLog, type LogEntry } from '../../../support/recording-log.ts';

/** The manager set over a catalog in memory; what a test needs of the other parts it brings itself. */
export interface ManagerFixture {
  readonly catalog: MemoryCatalog;
  readonly logged: readonly LogEntry[];
  /** Status and parsed body. `body` is sent as JSON, text as it is. */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  fetch(path: string, init?: RequestInit): Promise<Response>;
}

export interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers of many shapes
  readonly body: any;
  readonly text: string;
}

export interface ManagerParts {
  readonly registry?: Partial<Registry>;
  readonly upstreams?: Partial<Upstreams>;
  readonly secrets?: Partial<Secrets>;
  readonly groups?: Partial<Groups>;
  /** `data`: it keeps nothing. */
  readonly containers?: Omit<ServerContainers, 'data'> & Partial<ServerContainers>;
  readonly shownImages?: ShownImages;
  readonly problems?: Partial<Problems>;
  readonly allowedImages?: readonly string[];
  readonly isAdministrator?: boolean;
  readonly mayTry?: boolean;
}

const recentCall = { at: Date.UTC(2026, 0, 2, 3, 4, 5), tool: 'get', outcome: 'ok', milliseconds: 12.3 };

const keepsNothing: ServerData = { volumes: [], mounts: [], layer: undefined };

const service = {
  version: '1.2.3',
  defaultGroup: 'svc-global',
  gatewayUrl: () => 'http://127.0.0.1:3700',
  managerUrl: () => 'http://127.0.0.1:3701',
  gatewayCommand: () => 'node /opt/gateway/bin/gateway.js',
  groupsDir: 'groups',
};

export function createManagerFixture(parts: ManagerParts = {}): ManagerFixture {
  const { log, logged } = createRecordingLog();
  const bus = createLocalBus({ log });
  const catalog = createMemoryCatalog(bus);
  const context: ManagerContext = {
    service: { ...service, allowedImages: parts.allowedImages ?? [] },
    catalog,
    features: createMemoryOffers(bus),
    registry: {
      problem: () => undefined,
      folderProblem: () => undefined,
      brokenFiles: () => new Map(),
      ...parts.registry,
    },
    upstreams: { status: () => undefined, logs: () => [], followLogs: () => () => {}, ...parts.upstreams },
    secrets: { method: 'env_file', isReachable: async () => true, ...parts.secrets },
    problems: { database: async () => undefined, engine: async () => undefined, ...parts.problems },
    groups: { names: () => [], read: () => undefined, ...parts.groups },
    containers: parts.containers && { data: async () => keepsNothing, ...parts.containers },
    shownImages: parts.shownImages,
    serverCalls: {
      refresh: async () => {},
      of: (name: string) => ({
        total: 3,
        failed: 1,
        inFlight: context.upstreams.status(name)?.callsInFlight ?? 0,
        recent: [recentCall],
      }),
    },
    bus,
    log,
    isAdministrator: parts.isAdministrator ?? false,
    mayTry: parts.mayTry ?? false,
    tries: { run: async () => ({ server: 'x', result: '{}', milliseconds: 0, standing: undefined }) },
  } as unknown as ManagerContext;
  const handle = serveManager(managerRoutes(), context);
  // Node's Request follows its `signal` through a weak reference: one that nobody holds is collected and never aborts.
  const sent: Request[] = [];
  const send = (path: string, init?: RequestInit) => {
    const request = new Request(`http://127.0.0.1:3701${path}`, init);
    sent.push(request);
    return handle(request);
  };

  return {
    catalog,
    logged,
    fetch: send,
    async call(method, path, body, headers = { 'Content-Type': 'application/json' }) {
      const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
      const response = await send(path, text === undefined ? { method } : { method, headers, body: text });
      const answer = await response.text();
      return { status: response.status, body: JSON.parse(answer), text: answer };
    },
  };
}
