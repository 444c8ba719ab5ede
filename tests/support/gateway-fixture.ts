import type { GatewayContext } from '../../handlers/gateway/context.ts';
import { gatewayRoutes } from '../../handlers/gateway/routes.ts';
import { serveGateway } from '../../handlers/gateway/serve-gateway.ts';
import { createEmitter } from '../../lib/async/emitter.ts';
import { createLocalBus, type LocalBus } from '../../lib/events/local-bus.ts';
import { stillStarting } from '../../lib/failure.ts';
import { reportFailure } from '../../lib/http/report-failure.ts';
import {
  type ActiveCalls,
  createActiveCalls,
  createClientChannels,
  shareCancellations,
} from '../../lib/mcp/calls.ts';
import { createAnswerStreams } from '../../lib/mcp/streams/answer-streams.ts';
import { createEventStreams, type EventStreams } from '../../lib/mcp/streams/event-streams.ts';
import { followUpdates } from '../../lib/mcp/updates/follow-updates.ts';
import { createNotificationDelivery } from '../../lib/mcp/updates/notification-delivery.ts';
import {
  createGroupViews,
  type ListName,
  listChanged,
  listChangesOf,
} from '../../lib/mcp/views/group-views.ts';
import { createSeenUris } from '../../lib/mcp/views/seen-uris.ts';
import type { Metrics } from '../../lib/observe/metrics.ts';
import { createClientRequests } from '../../lib/sessions/client-requests/client-requests.ts';
import type { SharedSeenUris } from '../../lib/sessions/seen-uris/shared-seen-uris.ts';
import type { Sessions } from '../../lib/sessions/sessions.ts';
import { newSessionId } from '../../lib/text/node-random-id.ts';
import { createRelayedServers } from '../../lib/upstreams/relay/relayed-servers.ts';
import {
  createNotificationFeed,
  type NotificationFeed,
} from '../../lib/upstreams/sessions/session-clients.ts';
import { createMemoryCatalog, type MemoryCatalog, type ToolDefinition } from './memory-catalog.ts';
import { createMemoryEventLog } from './memory-event-log.ts';
import { createMemoryGroups, type GroupContent, type MemoryGroups } from './memory-groups.ts';
import { createMemoryOffers, type MemoryOffers, type OfferContent } from './memory-offers.ts';
import { createMemorySessions } from './memory-sessions.ts';
import { createMemorySubscriptions } from './memory-subscriptions.ts';
import { createRecordingLog, type LogEntry } from './recording-log.ts';
import { createScriptedUpstreams, type ScriptedUpstreams } from './scripted-upstreams.ts';

export interface FixtureOptions {
  /** Server → its tools. */
  readonly servers?: Readonly<Record<string, readonly ToolDefinition[]>>;
  /** Server → what it offers besides tools. */
  readonly features?: Readonly<Record<string, OfferContent>>;
  readonly groups?: Readonly<Record<string, GroupContent>>;
  readonly toolsPageSize?: number;
  readonly maxBodyBytes?: number;
  readonly maxCallsPerSession?: number;
  /** In place of sessions in memory. */
  readonly sessions?: Sessions;
  /** What other processes know of URIs; absent: there are none. */
  readonly sharedSeenUris?: SharedSeenUris;
}

/** The whole gateway set over small services in memory, connected as `lib/services/` connects the real ones. */
export interface GatewayFixture {
  readonly handle: (request: Request) => Promise<Response>;
  readonly context: GatewayContext;
  readonly bus: LocalBus;
  readonly catalog: MemoryCatalog;
  readonly features: MemoryOffers;
  /** Through it servers tell what belongs to no call. */
  readonly notificationFeed: NotificationFeed;
  readonly groups: MemoryGroups;
  readonly sessions: Sessions;
  readonly upstreams: ScriptedUpstreams;
  readonly streams: EventStreams;
  readonly calls: ActiveCalls;
  /** `server tool outcome` of each call that was counted. */
  readonly counted: readonly string[];
  readonly logged: readonly LogEntry[];
  /** Moves the clock that sessions expire by. */
  passSeconds(seconds: number): void;
}

export const sessionTtlSeconds = 3_600;

/** The one server of most tests, and the groups around it. */
const usual = {
  servers: { demo: ['echo', 'add', 'hidden'] },
  groups: { 'svc-global': ['demo__echo', 'demo__add'], other: ['demo__add'], empty: [] },
};

export function createGatewayFixture(options: FixtureOptions = {}): GatewayFixture {
  const { log, logged } = createRecordingLog();
  const bus = createLocalBus({ log });
  const catalog = createMemoryCatalog(bus);
  const features = createMemoryOffers(bus);
  const groups = createMemoryGroups(bus);
  const upstreams = createScriptedUpstreams();
  const calls = shareCancellations(createActiveCalls(options.maxCallsPerSession ?? 256), bus);
  const { metrics, counted } = createRecordingMetrics();
  let seconds = 0;
  const now = () => seconds * 1000;
  const forStreams = { log: createMemoryEventLog({ now }), bus, newId: newSessionId, now };
  const changes = createEmitter<[group: string, list: ListName]>();
  const views = createGroupViews({ groups, catalog, features, bus, onChanged: changes.emit });
  const streams = createEventStreams({
    ...forStreams,
    listChanges: (group) => listChangesOf(views.read(group)),
  });
  changes.on((group, list) => streams.sendToGroup(group, listChanged(list)));
  const answerStreams = createAnswerStreams(forStreams);
  const ttlSeconds = sessionTtlSeconds;
  const sessions = options.sessions ?? createMemorySessions({ bus, newId: newSessionId, now, ttlSeconds });
  const notificationFeed = createNotificationFeed();
  const messages = createNotificationDelivery({ streams, sessions, views, upstreams, bus });
  notificationFeed.listen(messages.deliver);
  streams.onOpen(messages.onListener);
  const subscriptions = createMemorySubscriptions();
  const resourceUpdates = followUpdates({
    subscriptions,
    upstreams,
    notificationFeed,
    streams,
    views,
    catalog,
    relayedServers: createRelayedServers(),
    bus,
  });
  bus.subscribe((busMessage) => {
    if (busMessage.type !== 'session_closed') return;
    streams.closeSession(busMessage.name);
    calls.cancelSession(busMessage.name);
    upstreams.endSession(busMessage.name);
  });
  const { toolsPageSize = 0, maxBodyBytes = 65_536 } = options;
  const service = { ...quietService, toolsPageSize, maxBodyBytes };
  const reportInternal = (failure: unknown) => reportFailure(failure, log).requestId;
  const clientRequests = createClientRequests({ bus, newId: newSessionId });
  const clientChannels = createClientChannels({ requests: clientRequests, sessions });
  const parts = {
    groups,
    views,
    sessions,
    clientChannels,
    clientRequests,
    answerStreams,
    upstreams,
    calls,
    metrics,
    resourceUpdates,
    seenUris: createSeenUris(options.sharedSeenUris),
  };
  const endpoint = {
    ...parts,
    version: service.version,
    now,
    toolsPageSize,
    gatewayId: () => 'own-id',
    reportInternal,
  };
  // As `lib/server/readiness.ts`: the service is loaded once its groups and its catalog are.
  const isLoaded = () => groups.isLoaded() && catalog.isLoaded();
  const context: GatewayContext = {
    ...{ service, endpoint, streams, metrics, log },
    catalog: { tools: catalog.tools, isLoaded },
  };
  const content = { ...usual, ...options };
  for (const [name, tools] of Object.entries(content.servers)) catalog.setTools(name, tools);
  for (const [name, offered] of Object.entries(options.features ?? {})) features.setFeatures(name, offered);
  for (const [name, group] of Object.entries(content.groups)) groups.write(name, group);

  return {
    handle: serveGateway(gatewayRoutes(), context),
    ...{
      context,
      bus,
      catalog,
      features,
      notificationFeed,
      groups,
      sessions,
      upstreams,
      streams,
      calls,
      counted,
      logged,
    },
    passSeconds: (passed) => {
      seconds += passed;
    },
  };
}

const quietService = {
  version: '1.2.3',
  defaultGroup: 'svc-global',
  gatewayUrl: () => 'http://127.0.0.1:3700',
  managerUrl: () => 'http://127.0.0.1:3701',
  maxCallsPerSession: 256,
  allowedImages: [],
  gatewayNeedsToken: false,
  gatewayCommand: () => 'node /opt/gateway/bin/svc-mcp.js',
  groupsDir: 'groups',
  notReadyBecause: async () => undefined,
  notLoaded: stillStarting,
};

function createRecordingMetrics(): { metrics: Metrics; counted: string[] } {
  const counted: string[] = [];
  const metrics: Metrics = {
    countCall: (server, tool, outcome) => void counted.push(`${server} ${tool} ${outcome}`),
    countTry() {},
    countRepair() {},
    render: async () => '# none\n',
  };
  return { metrics, counted };
}
