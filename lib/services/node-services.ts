import { fileURLToPath } from 'node:url';
import type { ClosingStack } from '../async/closing-stack.ts';
import { monotonicMs } from '../async/wait.ts';
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

/** All that lives as long as the process, put together. Nothing is read yet, but the embedded database is open. */
export type Services = Awaited<ReturnType<typeof createServices>>;

export type ServicesOptions = Omit<ServersOptions, 'stores'>;

/** A session in use must not expire between two runs; sessions that expire sooner are looked after more often. */
const longestReapingMs = 30_000;

const staticFolder = fileURLToPath(new URL('../../static', import.meta.url));

export async function createServices(settings: Settings, options: ServicesOptions) {
  const { closing, log } = options;
  const stores = await createStores(settings, options);
  const servers = createServers(settings, { ...options, stores });
  const agents = createAgents(settings, { stores, servers, closing });
  const { database, bus, catalog, groups, approvals, sessions, eventLog } = stores;
  const { host, upstreams, ownUpstreams, registry } = servers;
  const readiness = createReadiness({ database, groups, registry, isFolderless: settings.isFolderless });
  const reap = () =>
    Promise.allSettled([
      agents.activeSessions.poll(),
      sessions.reap(),
      eventLog.reap(),
      stores.sharedSeenUris?.reap(),
    ]);
  return {
    ...stores,
    ...servers,
    ...agents,
    readiness,
    stopReaping: repeat(
      reap,
      Math.min(longestReapingMs, settings.sessionTtlSeconds * 250, settings.unusedSessionSeconds * 250),
      closing,
    ),
    tries: createTries({
      ...{ groups, catalog, approvals, upstreams, bus, log, metrics: agents.metrics },
      notLoaded: readiness.refusal,
      defaultGroup: settings.defaultGroup,
      newId: newSessionId,
      now: monotonicMs,
    }),
    problems: createProblems({ database, containers: host.containers }),
    /** Of servers that run as programs and are shared by all sessions. */
    serverPids: () => catalog.servers().flatMap(({ name }) => ownUpstreams.status(name)?.pid ?? []),
    staticFiles: await readStaticFiles(staticFolder, await readVendorFiles()),
  };
}

/** @returns stops the timer, which otherwise `closing` does. */
function repeat(run: () => unknown, everyMs: number, closing: ClosingStack): () => void {
  const timer = setInterval(run, everyMs);
  const stop = () => clearInterval(timer);
  closing.add('reaping', stop);
  return stop;
}
