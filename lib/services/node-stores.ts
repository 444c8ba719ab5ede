import { randomUUID } from 'node:crypto';
import type { ClosingStack } from '../async/closing-stack.ts';
import { monotonicMs } from '../async/wait.ts';
import { createCatalog } from '../catalog/database-catalog.ts';
import { createFeatureCatalog } from '../catalog/database-features.ts';
import { createConfigFiles } from '../config/node-config-files.ts';
import type { Database } from '../database/database.ts';
import { createGatewayIdentity } from '../database/deployment-id.ts';
import { openDatabase } from '../database/drivers/node-open-database.ts';
import { createDatabaseBus } from '../events/database-bus.ts';
import { createApprovals } from '../groups/definitions/approvals.ts';
import { createFormerServers } from '../groups/names/former-servers.ts';
import { readInstallationId } from '../home/node-installation.ts';
import type { Log } from '../log.ts';
import { openSecrets } from '../secrets/node-open-secrets.ts';
import { createClientRequestRows } from '../sessions/client-requests/client-request-rows.ts';
import { createClientRequests } from '../sessions/client-requests/client-requests.ts';
import { createSessions } from '../sessions/database-sessions.ts';
import { createEventLog } from '../sessions/event-log/database-event-log.ts';
import { createSeenUriRows } from '../sessions/seen-uris/seen-uri-rows.ts';
import { createSharedSeenUris, type SharedSeenUris } from '../sessions/seen-uris/shared-seen-uris.ts';
import { createSessionSubscriptions } from '../sessions/session-subscriptions.ts';
import type { Settings } from '../settings/settings.ts';
import { newDeploymentId, newSessionId } from '../text/node-random-id.ts';
import { openGroups } from './node-groups.ts';

export interface StoresOptions {
  readonly closing: ClosingStack;
  readonly log: Log;
}

export type Stores = Awaited<ReturnType<typeof createStores>>;

/** The database, and everything that is stored in it or in files. */
export async function createStores(settings: Settings, { closing, log }: StoresOptions) {
  const { callTimeoutMs } = settings;
  const database = await openDatabase(settings.database, { log });
  closing.add('database', database.close);
  const processId = randomUUID();
  const bus = createDatabaseBus({ database, processId, log });
  closing.add('bus', bus.close);
  const secrets = openSecrets(settings.secrets, log);
  closing.add('secrets', secrets.close);
  const catalog = createCatalog({ database, bus, log, callTimeoutMs });
  const features = createFeatureCatalog({ database, catalog, bus, log });
  closing.add('features', features.close);
  const clientRequestRows = createClientRequestRows(database);
  const { groups, ...groupsSource } = openGroups(settings, { database, bus, closing, log });
  const approvals = createApprovals({ database, bus, log });
  closing.add('approvals', approvals.close);
  const sessions = createSessions({
    database,
    bus,
    newId: newSessionId,
    now: monotonicMs,
    ttlSeconds: settings.sessionTtlSeconds,
    unusedSeconds: settings.unusedSessionSeconds,
    most: settings.maxSessions,
  });
  closing.add('sessions', sessions.close);
  return {
    processId,
    // A process without folders has no children that a later start could find.
    installationId: settings.isFolderless ? processId : readInstallationId(settings.dataDir),
    database,
    bus,
    catalog,
    features,
    identity: createGatewayIdentity(database, newDeploymentId),
    approvals,
    groups,
    groupsSource,
    formerServers: createFormerServers({
      ...{ database, groups, catalog, features },
      hasFiles: !settings.isFolderless,
    }),
    sessions,
    subscriptions: createSessionSubscriptions(database),
    clientRequestRows,
    clientRequests: createClientRequests({ rows: clientRequestRows, bus, newId: newSessionId }),
    eventLog: createEventLog({ database }),
    sharedSeenUris: shareSeenUris(database),
    secrets,
    files: createConfigFiles({ directory: settings.configsDir, log, callTimeoutMs }),
  };
}

/** Undefined: no other process uses this database. */
function shareSeenUris(database: Database): SharedSeenUris | undefined {
  if (database.kind === 'pglite') return undefined;
  return createSharedSeenUris({ rows: createSeenUriRows(database), now: monotonicMs });
}
