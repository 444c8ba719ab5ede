import { createMutex } from '../async/mutex.ts';
import { retryForever } from '../async/retry.ts';
import type { Database } from '../database/database.ts';
import { logProblems } from '../definitions/some-problems.ts';
import type { Bus } from '../events/bus.ts';
import type { Log } from '../log.ts';
import type { Catalog } from './catalog.ts';
import { readFeatures, writeFeatures } from './feature-rows.ts';
import type { FeatureCatalog, ServerFeature, ServerFeatures } from './features.ts';
import { type JudgedFeatures, judgeFeatures } from './judged-features.ts';

/**
 * The offers over the database: written there first and then into memory, read from memory. Every process stores what
 * its own connections list; equal lists cost nothing. Rows of removed servers go with the catalog's row.
 */
export function createFeatureCatalog(deps: {
  readonly database: Pick<Database, 'query'>;
  readonly catalog: Pick<Catalog, 'server'>;
  readonly bus: Bus;
  readonly log: Log;
}): FeatureCatalog {
  const { database, catalog, bus, log } = deps;
  const known = new Map<string, JudgedFeatures>();
  const newest = new Map<string, ServerFeatures>();
  const ended = new AbortController();
  // What a read brought must not overtake a write that was acknowledged meanwhile.
  const mutex = createMutex();

  function cache(server: string, features: ServerFeatures | undefined): void {
    const before = known.get(server);
    if (isSame(before?.own, features)) return;
    const judged = features && judgeFeatures(features);
    if (judged) known.set(server, judged);
    else known.delete(server);
    logProblems(log, judged && { name: server, ...judged }, before && { name: server, ...before });
    bus.publish({ type: 'offers', name: server });
  }

  const load = () =>
    mutex(async () => {
      const stored = await readFeatures(database);
      for (const server of [...known.keys()]) if (!stored.has(server)) cache(server, undefined);
      for (const [server, features] of stored) cache(server, features);
    });
  const reload = (server: string) =>
    mutex(async () => cache(server, (await readFeatures(database, server)).get(server)));
  const store = (server: string, features: ServerFeatures) =>
    mutex(async () => {
      if (newest.get(server) !== features) return;
      if (!catalog.server(server) || isSame(known.get(server)?.own, features)) return;
      await writeFeatures(database, server, features);
      cache(server, features);
    });
  const untilDone = (server: string | undefined, work: () => Promise<void>) =>
    retryForever(work, {
      longestPauseMs: 5_000,
      signal: ended.signal,
      onFirstFailure: () => log.warn({ server }, 'What servers offer waits for the database.'),
    }).catch(() => {});

  const unsubscribe = bus.subscribe((busMessage, origin) => {
    if (busMessage.type === 'offers' && origin === 'remote')
      void untilDone(busMessage.name, () => reload(busMessage.name));
    if (busMessage.type === 'tools' && !catalog.server(busMessage.name)) known.delete(busMessage.name);
  });
  const ignoreGaps = bus.onGap(() => void untilDone(undefined, load));

  return {
    of: (server) => known.get(server)?.shown,
    problems: (server) => known.get(server)?.problems ?? [],
    load,
    async store(server, features) {
      newest.set(server, features);
      await untilDone(server, () => store(server, features));
      if (newest.get(server) === features) newest.delete(server);
    },
    close() {
      ended.abort();
      unsubscribe();
      ignoreGaps();
    },
  };
}

function isSame(one: ServerFeatures | undefined, other: ServerFeatures | undefined): boolean {
  if (!one || !other) return one === other;
  return (
    one.capabilities === other.capabilities &&
    one.instructions === other.instructions &&
    (one.problems ?? []).join('\n') === (other.problems ?? []).join('\n') &&
    isSameList(one.prompts, other.prompts) &&
    isSameList(one.resources, other.resources) &&
    isSameList(one.templates, other.templates)
  );
}

function isSameList(one: readonly ServerFeature[], other: readonly ServerFeature[]): boolean {
  return (
    one.length === other.length && one.every(({ definition }, at) => definition === other[at]?.definition)
  );
}
