import { fileURLToPath } from 'node:url';
import { readStaticFiles } from './http/node-static-files.ts';
import { readVendorFiles } from './http/node-vendor-files.ts';
import { newSessionId } from './node-random-id.ts';
import { createProblems } from './observe/problems.ts';
import { createAgents } from './parts/node-agents.ts';
import { createServers, type ServersOptions } from './parts/node-servers.ts';
import { createStores } from './parts/node-stores.ts';
import { createReadiness } from './readiness.ts';
import type { Settings } from './settings.ts';
import { createTries } from './tries/create-tries.ts';

/**
 * Every part of the service, connected: what `server.ts` puts behind its doors. Nothing is read yet, except that the
 * embedded database is opened.
 */
export type Parts = Awaited<ReturnType<typeof createParts>>;

/** Shorter for sessions that live short: they must not expire between two looks while somebody uses them. */
const longestBetweenLooksMs = 30_000;

const staticFolder = fileURLToPath(new URL('../static', import.meta.url));

export type PartsOptions = Omit<ServersOptions, 'stores'>;

export async function createParts(settings: Settings, options: PartsOptions) {
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
      () => void Promise.allSettled([agents.heldSessions.look(), sessions.reap(), eventLog.reap()]),
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
