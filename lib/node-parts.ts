import { fileURLToPath } from 'node:url';
import type { Doors } from './http/node-doors.ts';
import { readStaticFiles } from './http/node-static-files.ts';
import { readVendorFiles } from './http/node-vendor-files.ts';
import { newSessionId } from './node-random-id.ts';
import type { Log } from './observe/log.ts';
import { createProblems } from './observe/problems.ts';
import { createAgents } from './parts/node-agents.ts';
import { createServers } from './parts/node-servers.ts';
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

/** @param version Of this program, told to servers. */
export async function createParts(settings: Settings, doors: Doors, version: string, log: Log) {
  const stores = await createStores(settings, log);
  const servers = createServers(settings, { stores, doors, version, log });
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
      ...{ ...stores, ...servers, ...agents, log },
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
