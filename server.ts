/**
 * The composition root: settings, listeners, services, contexts, and an orderly end. What lives as long as the process is
 * created here and in `lib/services/`; what it does is in `handlers/` and `lib/`.
 */
import { Response as FastResponse } from '@whatwg-node/fetch';
import { gatewayContext } from './handlers/gateway/gateway-context.ts';
import { gatewayRoutes } from './handlers/gateway/routes.ts';
import { serveGateway } from './handlers/gateway/serve-gateway.ts';
import { managerContext } from './handlers/manager/manager-context.ts';
import { managerRoutes } from './handlers/manager/routes.ts';
import { serveManager } from './handlers/manager/serve-manager.ts';
import type { ClosingStack } from './lib/async/closing-stack.ts';
import { monotonicMs } from './lib/async/wait.ts';
import { lockDataDir } from './lib/database/node-data-lock.ts';
import { type EnteredHome, enterHome } from './lib/home/node-enter-home.ts';
import { isNewHome, writeExamples } from './lib/home/node-examples.ts';
import { makeFolder } from './lib/home/node-installation.ts';
import { readVersion } from './lib/home/node-version.ts';
import { reportFailure } from './lib/http/report-failure.ts';
import { useResponseClass } from './lib/http/responses.ts';
import type { Log } from './lib/log.ts';
import { createLog } from './lib/observe/node-log.ts';
import { type Listeners, openListeners } from './lib/server/listeners/node-listeners.ts';
import { type Shutdown, shutDownOnSignals } from './lib/server/shutdown/node-shutdown.ts';
import { readProgramFacts } from './lib/server/start/node-program-facts.ts';
import { answerArguments } from './lib/server/start/server-arguments.ts';
import { startText } from './lib/server/start/start-text.ts';
import type { ServiceInfo } from './lib/service-info.ts';
import { endServing } from './lib/services/end-serving.ts';
import { followMessages, loadServices } from './lib/services/node-load-services.ts';
import { createServices, type Services } from './lib/services/node-services.ts';
import { startFacts } from './lib/services/start-facts.ts';
import { isLoopback } from './lib/settings/exposure.ts';
import { readSettings, type Settings } from './lib/settings/settings.ts';
import { type ChildGuard, startChildGuard } from './lib/upstreams/transports/stdio/node-child-guard.ts';
import { createOwnChildren } from './lib/upstreams/transports/stdio/node-marked-processes.ts';

const version = readVersion();

/** A signal may break a start off at any point: what is open by then is on the closing stack. */
async function start({ closing, addLastResort }: Shutdown): Promise<void> {
  const home = enterHome();
  const settings = readSettings(home.variables, home.isFolderless);
  const log = createLog(settings.logLevel, process.stdout.isTTY === true);
  process.on('unhandledRejection', (error) => log.error({ error }, 'unhandled rejection'));
  useResponseClass(FastResponse);
  if (!settings.isFolderless) await enterFolders(settings, closing, log);
  const listeners = await openListeners(settings);
  log.info({ manager: listeners.managerUrl, gateway: listeners.gatewayUrl }, 'listening, getting ready');
  // Closes after the database, and starts only when there is something to guard.
  let guard: ChildGuard | undefined;
  closing.add('guard of children', () => guard?.end());
  const { gatewayCommand } = home;
  const services = await createServices(settings, { closing, listeners, version, gatewayCommand, log });
  guard = startChildGuard();
  const children = createOwnChildren(services.installationId);
  addLastResort(() => children.killNow(services.serverPids()));
  const { drainSeconds, shutdownSeconds } = settings;
  const ending = { drainSeconds, shutdownSeconds, endLeftChildren: children.end, log };
  endServing(closing, { services, listeners, ...ending });
  mountHandlers(services, listeners, settings, home, log);
  await loadServices(services, settings, log);
  listeners.ready();
  followMessages(services, closing, log);
  const facts = await startFacts(services, listeners, settings, home);
  const ready = { version, ...facts, milliseconds: Math.round(performance.now()) };
  if (process.stdout.isTTY) process.stdout.write(`${startText(ready)}\n`);
  else log.info(ready, 'ready');
}

/** Makes the folders, and locks the data against another process. A new home gets the examples. */
async function enterFolders(settings: Settings, closing: ClosingStack, log: Log): Promise<void> {
  const isNew = isNewHome(settings);
  makeFolder(settings.dataDir, 'DATA_DIR');
  makeFolder(settings.groupsDir, 'GROUPS_DIR');
  const dataLock = await lockDataDir(settings.dataDir);
  closing.add('lock of DATA_DIR', dataLock.release);
  if (isNew) writeExamples(settings, log);
}

/** Puts both handler sets behind the listeners; until the services are loaded the handlers themselves answer 503. */
function mountHandlers(
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
    allowedUpstreams: settings.allowedUpstreams,
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
    now: monotonicMs,
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

function run(): void {
  const shutdown = shutDownOnSignals((step, problem) =>
    process.stderr.write(`Ending: ${step}: ${problem}\n`),
  );
  start(shutdown).catch((error: unknown) => {
    // A start that a shutdown breaks off did not fail.
    if (shutdown.isUnderWay()) return;
    const reason = error instanceof Error ? error.message : String(error);
    process.stderr.write(`Cannot start. ${reason}\n`);
    process.exit(1);
  });
}

const answer = answerArguments(process.argv.slice(2), readProgramFacts);
if (answer === undefined) run();
else {
  process[answer.exitCode === 0 ? 'stdout' : 'stderr'].write(`${answer.text}\n`);
  process.exitCode = answer.exitCode;
}
