import { randomUUID } from 'node:crypto';
import { createRegistry } from './catalog/create-registry.ts';
import { createCatalog } from './catalog/database-catalog.ts';
import { createRegistrationJournal } from './catalog/database-journal.ts';
import { createOffers } from './catalog/database-offers.ts';
import { createConfigFiles } from './catalog/node-config-files.ts';
import { createContainerHost } from './containers/node-container-host.ts';
import { openDatabase } from './database/node-open-database.ts';
import { createDatabaseBus } from './events/database-bus.ts';
import { createAcceptance } from './groups/database-acceptance.ts';
import { createGroupLock } from './groups/group-lock.ts';
import { createGroupFiles } from './groups/node-group-files.ts';
import type { Doors } from './http/node-doors.ts';
import { readStaticFiles } from './http/node-static-files.ts';
import { readVendorFiles } from './http/node-vendor-files.ts';
import { createActiveCalls } from './mcp/active-calls.ts';
import { createAnswerStreams } from './mcp/answer-streams.ts';
import { createCallers } from './mcp/callers.ts';
import { createEventStreams } from './mcp/event-streams.ts';
import { followUpdates } from './mcp/follow-updates.ts';
import { createGroupViews } from './mcp/group-views.ts';
import { listChanged, listChangesOf } from './mcp/list-changed.ts';
import { createSeenUris } from './mcp/seen-uris.ts';
import { shareCancellations } from './mcp/shared-cancellations.ts';
import { createUnaskedMessages } from './mcp/unasked-messages.ts';
import { readInstallationId, readInstallationKey } from './node-installation.ts';
import { newDeploymentId, newSessionId } from './node-random-id.ts';
import type { Log } from './observe/log.ts';
import { createCallRecords } from './observe/call-records.ts';
import { createMetrics } from './observe/node-metrics.ts';
import { createProblems } from './observe/problems.ts';
import { createServerCallRows } from './observe/server-call-rows.ts';
import { createServerCalls } from './observe/shared-server-calls.ts';
import { createReadiness } from './readiness.ts';
import { openSecrets } from './secrets/node-open-secrets.ts';
import { createClientRequestRows } from './sessions/client-request-rows.ts';
import { createClientRequests } from './sessions/client-requests.ts';
import { createEventLog } from './sessions/database-event-log.ts';
import { createSessions } from './sessions/database-sessions.ts';
import { createHeldSessions } from './sessions/held-sessions.ts';
import { createSessionSubscriptions } from './sessions/session-subscriptions.ts';
import type { Settings } from './settings.ts';
import { createUpstreams } from './upstreams/create-upstreams.ts';
import { createNodeOpeners } from './upstreams/node-openers.ts';
import { createRemoteUpstreams } from './upstreams/remote-upstreams.ts';
import { createRoutedUpstreams } from './upstreams/routed-upstreams.ts';
import { createUnaskedFeed } from './upstreams/unasked-feed.ts';

/**
 * Every part of the service, connected: what `server.ts` puts behind its doors. Nothing is read yet, except that the
 * embedded database is opened.
 */
export type Parts = Awaited<ReturnType<typeof createParts>>;

type Stores = Awaited<ReturnType<typeof createStores>>;
type Servers = ReturnType<typeof createServers>;

/** Shorter for sessions that live short: they must not expire between two looks while somebody uses them. */
const longestBetweenLooksMs = 30_000;

/** @param version Of this program, told to servers. */
export async function createParts(settings: Settings, doors: Doors, version: string, log: Log) {
  const stores = await createStores(settings, log);
  const servers = createServers(settings, { stores, doors, version, log });
  const agents = createAgents(settings, stores, servers);
  const { database, groups, sessions, eventLog } = stores;
  return {
    ...stores,
    ...servers,
    ...agents,
    reaping: setInterval(
      () => void Promise.allSettled([agents.heldSessions.look(), sessions.reap(), eventLog.reap()]),
      Math.min(longestBetweenLooksMs, settings.sessionTtlSeconds * 250),
    ),
    readiness: createReadiness({ database, groups, registry: servers.registry }),
    problems: createProblems({ database, containers: servers.host.containers }),
    staticFiles: await readStaticFiles('static', await readVendorFiles()),
  };
}

/** The database and what is kept in it or in files. */
async function createStores(settings: Settings, log: Log) {
  const { callTimeoutMs } = settings;
  const database = await openDatabase(settings.database, { log });
  const processId = randomUUID();
  const bus = createDatabaseBus({ database, processId, log });
  const catalog = createCatalog({ database, bus, log, callTimeoutMs });
  return {
    processId,
    installationId: readInstallationId(settings.dataDir),
    database,
    bus,
    catalog,
    offers: createOffers({ database, catalog, bus, log }),
    acceptance: createAcceptance({ database, bus, log }),
    groups: createGroupFiles({
      directory: settings.groupsDir,
      defaultGroup: settings.defaultGroup,
      lock: createGroupLock(database),
      bus,
      log,
    }),
    sessions: createSessions({
      database,
      bus,
      newId: newSessionId,
      now: () => performance.now(),
      ttlSeconds: settings.sessionTtlSeconds,
    }),
    subscriptions: createSessionSubscriptions(database),
    clientRequests: createClientRequests({
      rows: createClientRequestRows(database),
      bus,
      newId: newSessionId,
    }),
    eventLog: createEventLog({ database }),
    secrets: openSecrets(settings.secrets, log),
    files: createConfigFiles({ directory: settings.configsDir, log, callTimeoutMs }),
  };
}

interface ServersOptions {
  readonly stores: Stores;
  readonly doors: Doors;
  readonly version: string;
  readonly log: Log;
}

/** Which servers there are, their containers, and the connections to them. */
function createServers(settings: Settings, { stores, doors, version, log }: ServersOptions) {
  const { installationId, database, bus, catalog, offers, secrets, files } = stores;
  const onStatus = (name: string) => bus.publish({ type: 'server', name });
  const unasked = createUnaskedFeed();
  const host = createContainerHost({
    ...{ database, secrets, installationId, onStatus, log },
    url: settings.internalManagerUrl ?? doors.managerUrl,
    onShared: doors.refusePeersOf,
    dockerHost: settings.dockerHost,
    hashKey: readInstallationKey(settings.dataDir),
    newToken: newSessionId,
    newDeploymentId,
    configOf: (server) => registry.configOf(server),
  });
  const ownUpstreams = createUpstreams({
    ...{ secrets, onStatus, log },
    openers: createNodeOpeners({
      installationId,
      allowedUpstreams: settings.allowedUpstreams,
      containers: { ...host, log },
    }),
    onTools: (config, tools) => registry.takeTools(config, tools),
    onOffers: ({ name }, listed) => void offers.store(name, listed),
    onUnasked: unasked.tell,
    clientVersion: version,
  });
  const upstreams = createRoutedUpstreams({
    local: ownUpstreams,
    remote: createRemoteUpstreams({ findOwner: host.findOwner, fetch }),
    isRemote: ({ image }) => image !== undefined && !host.isOwner(),
    configOf: (server) => catalog.server(server)?.config,
  });
  const registry = createRegistry({
    ...{ catalog, upstreams, secrets, files, bus, log },
    journal: createRegistrationJournal({ database, installationId, newId: randomUUID }),
    containers: host.forRegistry(upstreams),
    callTimeoutMs: settings.callTimeoutMs,
  });
  return { host, ownUpstreams, upstreams, unasked, registry };
}

/** What agents' requests meet, and what ends with their sessions. */
function createAgents(settings: Settings, stores: Stores, { upstreams, unasked }: Servers) {
  const { processId, database, groups, catalog, offers, sessions } = stores;
  const { subscriptions, clientRequests, eventLog, bus } = stores;
  const forStreams = { log: eventLog, bus, newId: newSessionId, now: () => performance.now() };
  const streams = createEventStreams({
    ...forStreams,
    listChanges: (group) => listChangesOf(views.read(group)),
  });
  const answerStreams = createAnswerStreams(forStreams);
  const calls = shareCancellations(createActiveCalls(settings.maxCallsPerSession), bus);
  const views = createGroupViews({
    groups,
    catalog,
    offers,
    bus,
    onChanged: (group, list) => streams.sendToGroup(group, listChanged(list)),
  });
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
    inFlight: (server) => upstreams.status(server)?.callsInFlight ?? 0,
    rows: database.kind === 'pglite' ? undefined : createServerCallRows(database, processId),
    now: () => performance.now(),
  });
  const messages = createUnaskedMessages({ streams, sessions, views, upstreams, bus });
  unasked.listen(messages.deliver);
  streams.onOpen(messages.onListener);
  const resourceUpdates = followUpdates({ subscriptions, upstreams, unasked, streams, views, catalog, bus });
  const inUse = () => [...streams.sessions(), ...calls.sessions()];
  const heldSessions = createHeldSessions({
    sessions,
    bus,
    inUse,
    held: () => [...inUse(), ...upstreams.heldSessions(), ...resourceUpdates.sessions()],
  });
  const callers = createCallers({ requests: clientRequests, sessions });
  const seenUris = createSeenUris();
  return {
    ...{ streams, answerStreams, calls, views, resourceUpdates },
    ...{ heldSessions, seenUris, callers, metrics, serverCalls },
  };
}
