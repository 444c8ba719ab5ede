import { fileURLToPath } from 'node:url';
import { readStaticFiles } from '../server/page/node-static-files.ts';
import { readVendorFiles } from '../server/page/node-vendor-files.ts';
import { createProblems } from '../server/problems.ts';
import { createReadiness } from '../server/readiness.ts';
import type { Settings } from '../settings/settings.ts';
import { newSessionId } from '../text/node-random-id.ts';
import { createTries } from '../tries/tries.ts';
import { createAgents } from './node-agents.ts';
import { createServers, type ServersOptions } from './node-servers.ts';
import { createStores } from './node-stores.ts';

/**
 * Every part of the service, connected: what `server.ts` puts behind its doors. Nothing is read yet, except that the
 * embedded database is opened.
 */
export type Services = Awaited<ReturnType<typeof createServices>>;

/** Shorter for sessions that live short: they must not expire between two looks while somebody uses them. */
const longestBetweenLooksMs = 30_000;

const staticFolder = fileURLToPath(new URL('../../static', import.meta.url));

export type ServicesOptions = Omit<ServersOptions, 'stores'>;

export async function createServices(settings: Settings, options: ServicesOptions) {
  const stores = await createStores(settings, options.log);
  const servers = createServers(settings, { ...options, stores });
  const agents = createAgents(settings, stores, servers);
  const { database, groups, sessions, eventLog } = stores;
  const readiness = createReadiness({ database, groups, registry: servers.registry });
  return {
    ...stores,
    ...servers,
    ...agents,
    reaping: setInterval(
      () => void Promise.allSettled([agents.activeSessions.poll(), sessions.reap(), eventLog.reap()]),
      Math.min(longestBetweenLooksMs, settings.sessionTtlSeconds * 250, settings.unusedSessionSeconds * 250),
    ),
    readiness,
    tries: createTries({
      ...{ ...stores, ...servers, ...agents, log: options.log },
      notLoaded: readiness.refusal,
      defaultGroup: settings.defaultGroup,
      newId: newSessionId,
      now: () => performance.now(),
    }),
    problems: createProblems({ database, containers: servers.host.containers }),
    /** Of servers that run as programs and are shared. */
    serverPids: () =>
      stores.catalog.servers().flatMap(({ name }) => servers.ownUpstreams.status(name)?.pid ?? []),
    staticFiles: await readStaticFiles(staticFolder, await readVendorFiles()),
  };
}
