import { realpath } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import type { ClosingStack } from '../async/closing-stack.ts';
import { connectWithRetry } from '../database/connect-with-retry.ts';
import { migrateAndLog } from '../database/migrate.ts';
import { readMigrations } from '../database/node-migrations.ts';
import type { Failure } from '../failure.ts';
import { jsonNameOf } from '../files/node-folder.ts';
import { sweepLeftovers } from '../files/node-leftovers.ts';
import { approveFirstSeen } from '../groups/definitions/approve-first-seen.ts';
import {
  warnOfRefusedNames,
  warnOfResources,
  warnOfUnknownNames,
} from '../groups/warnings/group-warnings.ts';
import type { Log } from '../log.ts';
import type { Settings } from '../settings/settings.ts';
import { followCatalog, followRestarts } from '../upstreams/follow-bus.ts';
import { reapOrphans } from '../upstreams/transports/stdio/node-marked-processes.ts';
import type { Services } from './node-services.ts';

/** Reads files and database, waiting for a database that is not there yet, and starts what works by itself. */
export async function loadServices(services: Services, settings: Settings, log: Log): Promise<void> {
  const { database, bus, groupsSource, catalog, upstreams, registry, host, readiness } = services;
  const isManager = settings.roles.has('manager');
  const orphans = reapOrphans(services.installationId);
  let isHosting = false;

  async function loadDatabase(): Promise<void> {
    const { waitFor, failedWith } = readiness;
    await migrateAndLog({ database, migrations: await readMigrations(), waitFor, log });
    failedWith(undefined);
    await services.identity.load();
    await bus.start();
    // Before any request is answered: it may break connections.
    if (isManager && !isHosting) await host.start(registry);
    isHosting = true;
    await groupsSource.loadFromDatabase();
    await catalog.load();
    await services.features.load();
    await services.formerServers.load();
    await services.approvals.load();
  }

  function onFailure(failure: Failure): void {
    readiness.failedWith(failure);
    const { message: problem, cause } = failure;
    const reason = cause instanceof Error ? cause.message : String(cause);
    log.warn({ database: database.label, problem, reason }, 'waiting for the database');
  }

  await groupsSource.loadFromFiles();
  await connectWithRetry(loadDatabase, { onFailure });
  await orphans;
  if (isManager) {
    await sweepAtStart(settings);
    await registry.start();
  } else {
    followCatalog(catalog, upstreams, bus);
  }
  followRestarts({ catalog, upstreams, bus, log });
  if (isManager) {
    host.follow({ catalog, upstreams: services.ownUpstreams, registry, bus, metrics: services.metrics });
    // Before the first copy, which makes gateways ready: their calls find this process.
    if (database.kind !== 'pglite') await services.relayProcesses.start();
    groupsSource.copyToDatabase();
  }
  readiness.start();
}

/**
 * Removes what a killed manager left beside config files and secrets; the temporary file of the secrets holds every value.
 * Another manager may be at work in the same folders. Groups have a lock, and are swept under it.
 */
async function sweepAtStart({ configsDir, secrets }: Settings): Promise<void> {
  await sweepLeftovers(configsDir, (target) => jsonNameOf(target) !== undefined);
  if (secrets.method !== 'env_file') return;
  const path = await realpath(secrets.path).catch(() => secrets.path);
  await sweepLeftovers(dirname(path), (target) => target === basename(path));
}

/** The work that follows messages of the bus, apart from any request. */
export function followMessages(services: Services, closing: ClosingStack, log: Log): void {
  const { groups, catalog, approvals, features, formerServers, bus } = services;
  const deps = { groups, catalog, approvals, features, formerServers, bus, log };
  for (const follow of [approveFirstSeen, warnOfUnknownNames, warnOfRefusedNames, warnOfResources]) {
    closing.add('following of messages', follow(deps).stop);
  }
}
