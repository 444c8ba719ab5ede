import { createMutex } from '../async/mutex.ts';
import { retryForever } from '../async/retry.ts';
import type { Database, Queryable } from '../database/database.ts';
import type { FeatureKind } from '../definitions/judge-feature.ts';
import { logProblems } from '../definitions/some-problems.ts';
import type { Bus } from '../events/bus.ts';
import { elementsOf } from '../json/raw-json.ts';
import type { Log } from '../log.ts';
import type { Catalog } from './catalog.ts';
import {
  type FeatureCatalog,
  type JudgedFeatures,
  judgeFeatures,
  type ServerFeature,
  type ServerFeatures,
  toFeatureList,
} from './features.ts';

/**
 * The features over the database: written to table `server_offers` first and then to memory, read from memory. Every
 * process stores what its own connections list; equal lists cost nothing. The catalog deletes the rows of removed servers.
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
  // The result of a read must not overtake a write that was acknowledged meanwhile.
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

/** Everything is JSON text here, since a server's own strings may hold characters that Postgres refuses. */
interface FeatureRow {
  readonly server: string;
  readonly capabilities: string;
  readonly instructions: string | null;
  readonly prompts: string;
  readonly resources: string;
  readonly templates: string;
  readonly listing_problems: readonly string[];
}

/** @param server Only this one; absent: all of them. */
async function readFeatures(database: Queryable, server?: string): Promise<Map<string, ServerFeatures>> {
  const rows = await database.query<FeatureRow>(
    `select server, capabilities, instructions, prompts, resources, templates, listing_problems
     from server_offers
     where $1::text is null or server = $1`,
    [server ?? null],
  );
  return new Map(rows.map((row) => [row.server, toFeatures(row)]));
}

/** Writes nothing for a server that is not registered any more. */
async function writeFeatures(database: Queryable, server: string, features: ServerFeatures): Promise<void> {
  await database.query(
    `insert into server_offers (server, capabilities, instructions, prompts, resources, templates, listing_problems)
     select name, $2, $3, $4, $5, $6, $7::text[] from servers where name = $1
     on conflict (server) do update
     set capabilities = excluded.capabilities, instructions = excluded.instructions, prompts = excluded.prompts,
       resources = excluded.resources, templates = excluded.templates, listing_problems = excluded.listing_problems, updated_at = now()`,
    [
      server,
      features.capabilities,
      features.instructions === undefined ? null : JSON.stringify(features.instructions),
      listText(features.prompts),
      listText(features.resources),
      listText(features.templates),
      features.problems ?? [],
    ],
  );
}

function toFeatures(row: FeatureRow): ServerFeatures {
  const list = (kind: FeatureKind) => {
    const text = row[kind];
    const definitions = elementsOf(text).map(({ start, end }) => text.slice(start, end));
    return toFeatureList(definitions, kind);
  };
  return {
    capabilities: row.capabilities,
    instructions: row.instructions === null ? undefined : String(JSON.parse(row.instructions)),
    prompts: list('prompts'),
    resources: list('resources'),
    templates: list('templates'),
    ...(row.listing_problems.length > 0 ? { problems: row.listing_problems } : {}),
  };
}

function listText(features: readonly ServerFeature[]): string {
  return `[${features.map(({ definition }) => definition).join(',')}]`;
}
