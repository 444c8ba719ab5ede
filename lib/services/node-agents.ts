import type { ClosingStack } from '../async/closing-stack.ts';
import { createEmitter } from '../async/emitter.ts';
import { monotonicMs } from '../async/wait.ts';
import { createActiveCalls, createClientChannels, shareCancellations } from '../mcp/calls.ts';
import { createAnswerStreams } from '../mcp/streams/answer-streams.ts';
import { createEventStreams } from '../mcp/streams/event-streams.ts';
import { deliverQuestions } from '../mcp/updates/deliver-questions.ts';
import { followUpdates } from '../mcp/updates/follow-updates.ts';
import { createNotificationDelivery } from '../mcp/updates/notification-delivery.ts';
import { createOutsideAsker } from '../mcp/updates/outside-asker.ts';
import { createGroupViews, type ListName, listChanged, listChangesOf } from '../mcp/views/group-views.ts';
import { createSeenUris } from '../mcp/views/seen-uris.ts';
import { createCallRecords } from '../observe/call-records.ts';
import { createMetrics } from '../observe/node-metrics.ts';
import { createServerCallRows, createServerCalls } from '../observe/server-calls.ts';
import { createActiveSessions } from '../sessions/active-sessions.ts';
import type { Settings } from '../settings/settings.ts';
import { newSessionId } from '../text/node-random-id.ts';
import { isTrySession } from '../tries/tries.ts';
import type { Servers } from './node-servers.ts';
import type { Stores } from './node-stores.ts';

export interface AgentsOptions {
  readonly stores: Stores;
  readonly servers: Pick<Servers, 'upstreams' | 'notificationFeed' | 'relayedServers'>;
  readonly closing: ClosingStack;
}

/** Everything behind the endpoints of agents: views of groups, calls, streams, and what ends with a session. */
export function createAgents(settings: Settings, { stores, servers, closing }: AgentsOptions) {
  const { upstreams, notificationFeed, relayedServers } = servers;
  const { processId, database, groups, catalog, features, formerServers, sessions } = stores;
  const { subscriptions, clientRequests, clientRequestRows, eventLog, bus } = stores;
  const forStreams = { log: eventLog, bus, newId: newSessionId, now: monotonicMs };
  const changes = createEmitter<[group: string, list: ListName]>();
  const views = createGroupViews({
    ...{ groups, catalog, features, formerServers, bus },
    onChanged: changes.emit,
  });
  closing.add('views', views.close);
  const streams = createEventStreams({
    ...forStreams,
    listChanges: (group) => listChangesOf(views.read(group)),
  });
  changes.on((group, list) => streams.sendToGroup(group, listChanged(list)));
  const answerStreams = createAnswerStreams(forStreams);
  const calls = shareCancellations(createActiveCalls(settings.maxCallsPerSession), bus);
  bus.subscribe(({ type, name }) => {
    if (type !== 'session_closed') return;
    streams.closeSession(name);
    calls.cancelSession(name);
    upstreams.endSession(name);
  });
  const records = createCallRecords();
  const gauges = { sessions: sessions.size, streams: streams.count, callsInFlight: calls.count };
  const metrics = createMetrics(gauges, records);
  const serverCalls = createServerCalls({
    records,
    servers: () => catalog.servers().map(({ name }) => name),
    inFlight: (server) => upstreams.status(server)?.callsInFlight ?? 0,
    rows: database.kind === 'pglite' ? undefined : createServerCallRows(database, processId),
    now: monotonicMs,
  });
  closing.add('calls of servers', serverCalls.close);
  const messages = createNotificationDelivery({ streams, sessions, views, upstreams, bus });
  notificationFeed.listen(messages.deliver);
  streams.onOpen(messages.onListener);
  notificationFeed.answerBy(createOutsideAsker({ requests: clientRequests, sessions, views, streams }));
  deliverQuestions({ rows: clientRequestRows, streams, bus });
  const resourceUpdates = followUpdates({
    subscriptions,
    upstreams,
    notificationFeed,
    streams,
    views,
    catalog,
    relayedServers,
    bus,
  });
  closing.add('resource updates', resourceUpdates.close);
  const inUse = () => [...streams.sessions(), ...calls.sessions()];
  // A try has no row in the database.
  const activeAtServers = () => upstreams.activeSessions().filter((id) => !isTrySession(id));
  const activeSessions = createActiveSessions({
    sessions,
    bus,
    inUse,
    active: () => [...inUse(), ...activeAtServers(), ...resourceUpdates.sessions()],
  });
  const clientChannels = createClientChannels({ requests: clientRequests, sessions });
  const seenUris = createSeenUris(stores.sharedSeenUris);
  return {
    ...{ streams, answerStreams, calls, views, resourceUpdates },
    ...{ activeSessions, seenUris, clientChannels, metrics, serverCalls },
  };
}
