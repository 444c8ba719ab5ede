/**
 * The composition root: settings, listeners, parts, contexts, and an orderly end. Everything that is created is created
 * here and in `lib/services/`; what it does is in `handlers/` and `lib/`.
 */
import { Response as FastResponse } from '@whatwg-node/fetch';
import { gatewayContext } from './handlers/gateway/gateway-context.ts';
import { gatewayRoutes } from './handlers/gateway/routes.ts';
import { serveGateway } from './handlers/gateway/serve-gateway.ts';
import { managerContext } from './handlers/manager/manager-context.ts';
import { managerRoutes } from './handlers/manager/routes.ts';
import { serveManager } from './handlers/manager/serve-manager.ts';
import { connectWithRetry } from './lib/database/connect-with-retry.ts';
import { migrateAndLog } from './lib/database/migrate-and-log.ts';
import { lockDataDir } from './lib/database/node-data-lock.ts';
import { readMigrations } from './lib/database/node-migrations.ts';
import { approveFirstSeen } from './lib/groups/definitions/approve-first-seen.ts';
import { warnOfRefusedNames } from './lib/groups/warnings/warn-of-refused-names.ts';
import { warnOfResources } from './lib/groups/warnings/warn-of-resources.ts';
import { warnOfUnknownNames } from './lib/groups/warnings/warn-of-unknown-names.ts';
import { type EnteredHome, enterHome } from './lib/home/node-enter-home.ts';
import { makeFolder } from './lib/home/node-installation.ts';
import { readVersion } from './lib/home/node-version.ts';
import { reportFailure } from './lib/http/report-failure.ts';
import { useResponseClass } from './lib/http/responses.ts';
import type { Log } from './lib/log.ts';
import { createLog } from './lib/observe/node-log.ts';
import { type Listeners, openListeners } from './lib/server/listeners/node-listeners.ts';
import { type Shutdown, shutDownOnSignals } from './lib/server/shutdown/node-shutdown.ts';
import { readProgramFacts } from './lib/server/start/node-program-facts.ts';
import { sweepAtStart } from './lib/server/start/node-sweep-at-start.ts';
import { answerArguments } from './lib/server/start/server-arguments.ts';
import { engineText, type StartFacts, startText } from './lib/server/start/start-text.ts';
import type { ServiceInfo } from './lib/service-info.ts';
import { endingSteps } from './lib/services/ending-steps.ts';
import { createServices, type Services } from './lib/services/node-services.ts';
import { exposureWarnings, isLoopback } from './lib/settings/exposure.ts';
import { readSettings, type Settings } from './lib/settings/settings.ts';
import { followCatalog } from './lib/upstreams/follow-catalog.ts';
import { followRestarts } from './lib/upstreams/follow-restarts.ts';
import { startChildGuard } from './lib/upstreams/transports/stdio/node-child-guard.ts';
import { reapOrphans } from './lib/upstreams/transports/stdio/node-orphans.ts';
import { createOwnChildren } from './lib/upstreams/transports/stdio/node-own-children.ts';

const version = readVersion();

/** @param shutdown is told how to end whatever was begun, so that a start can be broken off at any point. */
async function start(shutdown: Shutdown): Promise<void> {
  const home = enterHome();
  const settings = readSettings(home.variables);
  const log = createLog(settings.logLevel, process.stdout.isTTY === true);
  process.on('unhandledRejection', (error) => log.error({ error }, 'unhandled rejection'));
  useResponseClass(FastResponse);
  makeFolder(settings.dataDir, 'DATA_DIR');
  makeFolder(settings.groupsDir, 'GROUPS_DIR');
  const dataLock = await lockDataDir(settings.dataDir);
  shutdown.add({ name: 'lock of DATA_DIR', run: dataLock.release });
  const listeners = await openListeners(settings);
  log.info({ manager: listeners.managerUrl, gateway: listeners.gatewayUrl }, 'listening, getting ready');
  const { gatewayCommand } = home;
  const services = await createServices(settings, { listeners, version, gatewayCommand, log });
  const children = createOwnChildren(services.installationId);
  const guard = startChildGuard();
  shutdown.add({ name: 'guard of children', run: guard.end });
  shutdown.addLastResort(() => children.killNow(services.serverPids()));
  const { shutdownSeconds } = settings;
  shutdown.add(...endingSteps({ services, listeners, shutdownSeconds, endLeftChildren: children.end, log }));
  serve(services, listeners, settings, home, log);
  await load(services, settings, log);
  listeners.ready();
  shutdown.add({ name: 'following of news', run: followBusMessages(services, log) });
  await announce(services, listeners, settings, home, log);
}

/** Puts the two handler sets behind the open doors; until the parts are loaded they answer 503 themselves. */
function serve(
  services: Services,
  listeners: Listeners,
  settings: Settings,
  home: EnteredHome,
  log: Log,
): void {
  const service: ServiceInfo = {
    version,
    defaultGroup: settings.defaultGroup,
    gatewayUrl: () => listeners.gatewayUrl,
    managerUrl: () => listeners.managerUrl,
    gatewayNeedsToken: settings.gatewayToken !== undefined,
    gatewayCommand: home.gatewayCommand,
    groupsDir: home.shown(settings.groupsDir),
    maxBodyBytes: settings.maxBodyBytes,
    allowedImages: settings.allowedImages,
    notReadyBecause: services.readiness.reason,
    notLoaded: services.readiness.refusal,
  };
  const manager = managerContext(services, {
    service,
    log,
    isAdministrator: settings.adminToken !== undefined,
    mayTry: settings.adminToken !== undefined || isLoopback(settings.host),
  });
  const gateway = gatewayContext(services, {
    service,
    log,
    version,
    now: () => performance.now(),
    toolsPageSize: settings.toolsPageSize,
    gatewayId: services.identity.id,
    reportInternal: (failure) => reportFailure(failure, log).requestId,
    isLoaded: services.readiness.isStarted,
  });
  listeners.mount({
    manager: serveManager(managerRoutes(), manager),
    gateway: serveGateway(gatewayRoutes(), gateway),
    admin: serveManager(managerRoutes(), { ...manager, isAdministrator: true, mayTry: true }),
  });
}

/** Reads files and database, waiting for a database that is not there yet, and starts what works by itself. */
async function load(services: Services, settings: Settings, log: Log): Promise<void> {
  const { database, bus, catalog, approvals, groups, upstreams, registry, host, identity } = services;
  const { waitFor, failedWith } = services.readiness;
  const isManager = settings.roles.has('manager');
  let isHosting = false;
  const orphans = reapOrphans(services.installationId);
  await groups.load();
  await connectWithRetry(
    async () => {
      await migrateAndLog({ database, migrations: await readMigrations(), waitFor, log });
      failedWith(undefined);
      await identity.load();
      await bus.start();
      // Before anything is answered: it may break connections.
      if (isManager && !isHosting) await host.start();
      isHosting = true;
      await catalog.load();
      await services.features.load();
      await services.formerServers.load();
      await approvals.load();
    },
    {
      onFailure: (failure) => {
        failedWith(failure);
        const { message: problem, cause } = failure;
        log.warn({ database: database.label, problem, reason: messageOf(cause) }, 'waiting for the database');
      },
    },
  );
  await orphans;
  if (isManager) await sweepAtStart(settings);
  if (isManager) await registry.start();
  else followCatalog(catalog, upstreams, bus);
  followRestarts({ ...services, log });
  if (isManager) host.follow({ ...services, upstreams: services.ownUpstreams });
  services.readiness.start();
}

/** What is done behind the news from now on; answers how to end it. */
function followBusMessages(services: Services, log: Log): () => void {
  const deps = { ...services, log };
  const followings = [
    approveFirstSeen(deps),
    warnOfUnknownNames(deps),
    warnOfRefusedNames(deps),
    warnOfResources(deps),
  ];
  return () => {
    for (const following of followings) following.stop();
  };
}

async function announce(
  services: Services,
  listeners: Listeners,
  settings: Settings,
  home: EnteredHome,
  log: Log,
): Promise<void> {
  const { database, secrets, catalog, groups } = services;
  const engineProblem = await services.host.containers.problem();
  const { roles, dockerHost } = settings;
  const facts: StartFacts = {
    version,
    managerUrl: roles.has('manager') ? listeners.managerUrl : undefined,
    gatewayUrl: roles.has('gateway') ? listeners.gatewayUrl : undefined,
    defaultGroup: settings.defaultGroup,
    database: `${database.kind}, ${database.label}`,
    secrets: `${secrets.method}, ${secrets.label}`,
    engine: roles.has('manager') ? engineText(dockerHost, engineProblem) : 'through the manager',
    servers: catalog.servers().length,
    tools: catalog.tools().length,
    groups: groups.names().length,
    files: home.files(settings),
    command: roles.has('manager') ? home.gatewayCommand() : undefined,
    warnings: exposureWarnings(settings),
    milliseconds: Math.round(performance.now()),
  };
  if (process.stdout.isTTY) process.stdout.write(`${startText(facts)}\n`);
  else log.info({ ...facts }, 'ready');
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function run(): void {
  const shutdown = shutDownOnSignals((step, problem) =>
    process.stderr.write(`Ending: ${step}: ${problem}\n`),
  );
  start(shutdown).catch((error: unknown) => {
    // What a shutdown breaks off is no failure to start.
    if (shutdown.isUnderWay()) return;
    process.stderr.write(`Cannot start. ${messageOf(error)}\n`);
    process.exit(1);
  });
}

const answer = answerArguments(process.argv.slice(2), readProgramFacts);
if (answer === undefined) run();
else {
  process[answer.exitCode === 0 ? 'stdout' : 'stderr'].write(`${answer.text}\n`);
  process.exitCode = answer.exitCode;
}
