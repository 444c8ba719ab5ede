import { randomUUID } from 'node:crypto';
import { createRegistry } from './catalog/create-registry.ts';
import { createCatalog } from './catalog/database-catalog.ts';
import { createRegistrationJournal } from './catalog/database-journal.ts';
import { createConfigFiles } from './catalog/node-config-files.ts';
import { createContainerHost } from './containers/node-container-host.ts';
import { openDatabase } from './database/node-open-database.ts';
import { createDatabaseBus } from './events/database-bus.ts';
import { createAcceptance } from './groups/database-acceptance.ts';
import { createGroupLock } from './groups/group-lock.ts';
import { createGroupFiles } from './groups/node-group-files.ts';
import type { Doors } from './http/node-doors.ts';
import { readStaticFiles } from './http/node-static-files.ts';
import { createActiveCalls } from './mcp/active-calls.ts';
import { createEventStreams } from './mcp/event-streams.ts';
import { createGroupViews } from './mcp/group-views.ts';
import { listChangedNotification } from './mcp/list-tools.ts';
import { readInstallationId, readInstallationKey } from './node-installation.ts';
import { newDeploymentId, newSessionId } from './node-random-id.ts';
import type { Log } from './observe/log.ts';
import { createMetrics } from './observe/node-metrics.ts';
import { createReadiness } from './readiness.ts';
import { openSecrets } from './secrets/node-open-secrets.ts';
import { createSessions } from './sessions/database-sessions.ts';
import type { Settings } from './settings.ts';
import { createUpstreams } from './upstreams/create-upstreams.ts';
import { createNodeOpeners } from './upstreams/node-openers.ts';
import { createRemoteUpstreams } from './upstreams/remote-upstreams.ts';
import { createRoutedUpstreams } from './upstreams/routed-upstreams.ts';

/**
 * Every part of the service, connected: what `server.ts` puts behind its doors. Nothing is read yet, except that the
 * embedded database is opened.
 */
export type Parts = Awaited<ReturnType<typeof createParts>>;

type Stores = Awaited<ReturnType<typeof createStores>>;
type Servers = ReturnType<typeof createServers>;

const reapEveryMs = 30_000;

/** @param version Of this program, told to servers. */
export async function createParts(settings: Settings, doors: Doors, version: string, log: Log) {
  const stores = await createStores(settings, log);
  const servers = createServers(settings, { stores, doors, version, log });
  const agents = createAgents(settings, stores, servers);
  const { database, groups, sessions } = stores;
  return {
    ...stores,
    ...servers,
    ...agents,
    reaping: setInterval(() => sessions.reap().catch(() => {}), reapEveryMs),
    readiness: createReadiness({ database, groups, registry: servers.registry }),
    staticFiles: await readStaticFiles('static'),
  };
}

/** The database and what is kept in it or in files. */
async function createStores(settings: Settings, log: Log) {
  const { callTimeoutMs } = settings;
  const database = await openDatabase(settings.database, { log });
  const bus = createDatabaseBus({ database, processId: randomUUID(), log });
  return {
    installationId: readInstallationId(settings.dataDir),
    database,
    bus,
    catalog: createCatalog({ database, bus, log, callTimeoutMs }),
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
  const { installationId, database, bus, catalog, secrets, files } = stores;
  const onStatus = (name: string) => bus.publish({ type: 'server', name });
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
  return { host, ownUpstreams, upstreams, registry };
}

/** What agents' requests meet, and what ends with their sessions. */
function createAgents(settings: Settings, stores: Stores, { upstreams }: Servers) {
  const { groups, catalog, sessions, bus } = stores;
  const streams = createEventStreams();
  const calls = createActiveCalls(settings.maxCallsPerSession);
  const views = createGroupViews({
    groups,
    catalog,
    bus,
    onChanged: (group) => streams.sendToGroup(group, listChangedNotification),
  });
  bus.subscribe(({ type, name }) => {
    if (type !== 'session_closed') return;
    streams.closeSession(name);
    calls.cancelSession(name);
    upstreams.endSession(name);
  });
  const metrics = createMetrics({
    sessions: sessions.size,
    streams: streams.count,
    callsInFlight: calls.count,
  });
  return { streams, calls, views, metrics };
}
