import { randomUUID } from 'node:crypto';
import type { ClosingStack } from '../async/closing-stack.ts';
import { createEmitter } from '../async/emitter.ts';
import { createContainerHost } from '../container-host/node-container-host.ts';
import { guardedPaths } from '../container-host/node-guarded-paths.ts';
import { dockerConfigCredentials } from '../containers/credentials/node-docker-config.ts';
import {
  createRegistryCredentials,
  secretCredentials,
} from '../containers/credentials/registry-credentials.ts';
import { readInstallationKey, readRecordedDeployment, recordDeployment } from '../home/node-installation.ts';
import type { Log } from '../log.ts';
import { createRegistry } from '../registry/create-registry.ts';
import { createSeenConfigs } from '../registry/reconcile/seen-configs.ts';
import { createRemovedServers } from '../registry/removal/removed-servers.ts';
import { createRegistrationJournal } from '../registry/secrets/registration-journal.ts';
import { createSecretOwners } from '../registry/secrets/secret-owners.ts';
import type { Listeners } from '../server/listeners/node-listeners.ts';
import type { Settings } from '../settings/settings.ts';
import { newDeploymentId, newSessionId } from '../text/node-random-id.ts';
import { createUpstreams } from '../upstreams/create-upstreams.ts';
import { shareRootChanges } from '../upstreams/follow-bus.ts';
import { createNotificationFeed } from '../upstreams/sessions/session-clients.ts';
import type { UpstreamsDependencies } from '../upstreams/upstreams.ts';
import { createNodeOpeners } from './node-openers.ts';
import { createOtherProcesses } from './node-other-processes.ts';
import type { Stores } from './node-stores.ts';

export type Servers = ReturnType<typeof createServers>;

export interface ServersOptions {
  readonly stores: Stores;
  readonly closing: ClosingStack;
  readonly listeners: Listeners;
  /** Of this program, for the handshake with servers. */
  readonly version: string;
  /** What people type for the `svc-mcp` command; valid once the admin socket is open. */
  readonly gatewayCommand: () => string;
  readonly log: Log;
}

/** The registry of servers, their containers, and the connections to them. */
export function createServers(settings: Settings, options: ServersOptions) {
  const { stores, closing, listeners, version, gatewayCommand, log } = options;
  const { installationId, database, bus, catalog, features, groups, secrets, files, sessions } = stores;
  const onStatus = (name: string) => bus.publish({ type: 'server', name });
  const notificationFeed = createNotificationFeed();
  const toolLists = createEmitter<Parameters<UpstreamsDependencies['onTools']>>();
  const url = settings.internalManagerUrl ?? listeners.managerUrl;
  const host = createContainerHost({
    ...{ database, secrets, installationId, onStatus, log },
    mounts: { allowed: settings.allowedMounts, guarded: guardedPaths(settings) },
    onAvailableUpdate: (name) => bus.publish({ type: 'image_offer', name }),
    updateCheckHours: settings.updateCheckHours,
    url,
    onShared: listeners.refusePeersOf,
    dockerHost: settings.dockerHost,
    credentials: createRegistryCredentials([
      secretCredentials(settings.registryCredentials, secrets),
      dockerConfigCredentials(settings.registryConfig),
    ]),
    // Without folders nothing is compared with what an earlier start labelled.
    hashKey: settings.isFolderless ? newSessionId() : readInstallationKey(settings.dataDir),
    newToken: newSessionId,
    newDeploymentId,
    notedDeployment: () => readRecordedDeployment(settings.dataDir),
    noteDeployment: (id) => recordDeployment(settings.dataDir, id),
  });
  closing.add('containers', host.close);
  const others = createOtherProcesses(settings, { database, installationId, url, closing, log });
  bus.subscribe(({ type }) => {
    if (type === 'image_offer') host.shownImages.expire();
  });
  const ownUpstreams = createUpstreams({
    ...{ secrets, onStatus, log },
    openers: createNodeOpeners({
      installationId,
      allowedUpstreams: settings.allowedUpstreams,
      containers: { ...host, log },
    }),
    onTools: toolLists.emit,
    onFeatures: ({ name }, listed) => void features.store(name, listed),
    onUnsolicited: notificationFeed.publish,
    clients: {
      capabilitiesOf: async (sessionId) => (await sessions.read(sessionId))?.clientCapabilities,
      ask: notificationFeed.ask,
    },
    clientVersion: version,
    gatewayId: stores.identity.id,
  });
  const upstreams = shareRootChanges(others.route(ownUpstreams, host, catalog), bus);
  const registry = createRegistry({
    ...{ catalog, upstreams, groups, secrets, files, bus, log, gatewayCommand },
    owners: createSecretOwners(database),
    removed: createRemovedServers(database),
    seen: createSeenConfigs({ database, installationId }),
    journal: createRegistrationJournal({ database, installationId, newId: randomUUID }),
    mounts: host.mounts,
    containers: host.forRegistry(upstreams),
    callTimeoutMs: settings.callTimeoutMs,
  });
  closing.add('registry', registry.close);
  toolLists.on(registry.storeTools);
  const { relayProcesses, relayedServers } = others;
  return { host, ownUpstreams, upstreams, notificationFeed, registry, relayProcesses, relayedServers };
}
