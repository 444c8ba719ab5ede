import { retryForever } from '../../async/retry.ts';
import { isSameToolList, type StoredServer, type ToolListing } from '../../catalog/catalog.ts';
import { withProblems } from '../../catalog/tool-judge.ts';
import { canonicalText } from '../../config/parse-server-config.ts';
import type { ServerConfig } from '../../config/server-config.ts';
import { leftOutName } from '../../names/shown-names.ts';
import type { RegistryDependencies } from '../registry-dependencies.ts';

/**
 * Stores the tool lists that connections deliver (after each connect, and when a server reports a change) in the
 * catalog. An unchanged list costs nothing; one that arrives while the database is away is stored later, unless a newer
 * one came meanwhile. Resolves when no list is left to store; never rejects.
 */
export type ToolStore = (config: ServerConfig, tools: ToolListing) => Promise<void>;

export function createToolStore(
  deps: Pick<RegistryDependencies, 'catalog' | 'known' | 'locks' | 'ended' | 'log'>,
): ToolStore {
  const { catalog, known, locks, ended, log } = deps;
  const newest = new Map<string, ToolListing>();

  const storeOnce = (config: ServerConfig, tools: ToolListing) =>
    locks.run(config.name, async () => {
      const current = known.current.get(config.name);
      const isStale = newest.get(config.name) !== tools || !current;
      // Lists of a config that was replaced meanwhile are dropped.
      if (isStale || canonicalText(current) !== canonicalText(config)) return;
      if (!hasTools(catalog.server(config.name), tools)) await catalog.store(current, storable(tools));
    });

  return async (config, tools) => {
    if (hasTools(catalog.server(config.name), tools) && !newest.has(config.name)) return;
    newest.set(config.name, tools);
    await retryForever(() => storeOnce(config, tools), {
      longestPauseMs: 5_000,
      signal: ended,
      onFirstFailure: () => log.warn({ server: config.name }, 'A new tool list waits for the database.'),
    })
      .catch(() => {})
      .finally(() => {
        if (newest.get(config.name) === tools) newest.delete(config.name);
      });
  };
}

/** Postgres stores no U+0000 and no lone surrogates in text; a tool of such a name could not be called anyway. */
export function storable(tools: ToolListing): ToolListing {
  const refused = tools.filter(({ name }) => !isStorable(name));
  if (refused.length === 0) return tools;
  const why = refused.map(({ name }) => leftOutName('tool', name, 'has characters that cannot be stored'));
  return withProblems(
    tools.filter(({ name }) => isStorable(name)),
    [...(tools.problems ?? []), ...why],
  );
}

function isStorable(name: string): boolean {
  return !/\0|\p{Surrogate}/u.test(name);
}

/** Whether exactly this list is stored. */
export function hasTools(server: StoredServer | undefined, tools: ToolListing): boolean {
  return server !== undefined && isSameToolList(server.listed, storable(tools));
}
