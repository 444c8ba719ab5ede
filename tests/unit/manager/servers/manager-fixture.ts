import type { ManagerContext, ServerContainers } from '../../../../handlers/manager/context.ts';
import { managerRoutes } from '../../../../handlers/manager/routes.ts';
import { serveManager } from '../../../../handlers/manager/serve-manager.ts';
import type { ServerData } from '../../../../lib/containers/store/container-data.ts';
import { createLocalBus } from '../../../../lib/events/local-bus.ts';
import { assertAnswer, mediaTypeOf } from '../../../support/api-document.ts';
import { type ContextParts, createManagerContext } from '../../../support/manager-context.ts';
import { createMemoryCatalog, type MemoryCatalog } from '../../../support/memory-catalog.ts';
import { createMemoryOffers } from '../../../support/memory-offers.ts';
import { createRecordingLog, type LogEntry } from '../../../support/recording-log.ts';

/** The manager set over a catalog in memory; a test brings the other members that its handlers use. */
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

export interface ManagerParts
  extends Pick<
    ContextParts,
    | 'registry'
    | 'upstreams'
    | 'secrets'
    | 'groups'
    | 'shownImages'
    | 'problems'
    | 'isAdministrator'
    | 'mayTry'
  > {
  /** Without `data` the container keeps nothing. */
  readonly containers?: Omit<ServerContainers, 'data'> & Partial<ServerContainers>;
  readonly allowedImages?: readonly string[];
  readonly allowedUpstreams?: readonly string[];
}

const recentCall = { at: Date.UTC(2026, 0, 2, 3, 4, 5), tool: 'get', outcome: 'ok', milliseconds: 12.3 };

const keepsNothing: ServerData = { volumes: [], mounts: [], layer: undefined };

export function createManagerFixture(parts: ManagerParts = {}): ManagerFixture {
  const { log, logged } = createRecordingLog();
  const bus = createLocalBus({ log });
  const catalog = createMemoryCatalog(bus);
  const { allowedImages = [], allowedUpstreams = [], containers, ...brought } = parts;
  const context: ManagerContext = createManagerContext({
    ...brought,
    service: { allowedImages, allowedUpstreams },
    catalog,
    features: createMemoryOffers(bus),
    containers: containers && { data: async () => keepsNothing, ...containers },
    serverCalls: {
      refresh: async () => {},
      of: (name) => ({
        total: 3,
        failed: 1,
        inFlight: context.upstreams.status(name)?.callsInFlight ?? 0,
        recent: [recentCall],
      }),
    },
    bus,
    log,
    tries: { run: async () => ({ server: 'x', result: '{}', milliseconds: 0, standing: undefined }) },
  });
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
      const mediaType = mediaTypeOf(response.headers);
      assertAnswer({ method, path, status: response.status, mediaType, text: answer });
      return { status: response.status, body: JSON.parse(answer), text: answer };
    },
  };
}
