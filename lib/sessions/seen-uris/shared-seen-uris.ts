import { LRUCache } from 'lru-cache';
import { createBatcher, createBatchLoader } from '../../async/batch.ts';
import { createMutex } from '../../async/mutex.ts';
import { databaseFailure } from '../../database/database-fault.ts';
import { toFailure } from '../../failure.ts';
import { sha256 } from '../../text/sha256.ts';
import type { SeenUri, SeenUriLimits, SeenUriRows } from './seen-uri-rows.ts';

/**
 * The URIs that results showed, for the other processes on this database: a client may read a link in its next request,
 * which comes to another one (docs/decisions/0015).
 */
export interface SharedSeenUris {
  /**
   * @returns Resolves once every process finds them, or the database did not take them: then they are written with a
   * later `reap`. Never rejects. Undefined: there is nothing to write.
   */
  store(
    group: string,
    server: string,
    uris: readonly string[],
    features: ResourceRouting,
  ): Promise<void> | undefined;
  /** @throws Failure `database_unavailable` */
  serverOf(group: string, uri: string): Promise<string | undefined>;
  /** Writes what could not be written, and removes what is too old or too much. */
  reap(): Promise<void>;
}

/** What of a group's view tells whether a read would go to the server that showed a URI. */
export interface ResourceRouting {
  /** Servers that may be asked for unlisted resources. */
  readonly resourceServers: readonly string[];
  /** Whether a read finds a server without it. */
  isListed(uri: string): boolean;
}

export interface SharedSeenUrisOptions {
  readonly rows: SeenUriRows;
  /** Monotonic milliseconds. */
  readonly now: () => number;
}

const limits: SeenUriLimits = { mostOfServer: 5_000, most: 50_000, seconds: 86_400 };
/** A process that writes much does not wait for the next regular removal. */
const mostBetweenRemovals = 5_000;
/** Short: meanwhile another server may show the URI at another process, and the last one counts. */
const storedForMs = 10_000;
const mostRemembered = 10_000;
const mostCharacters = 4_000_000;
/** URIs of one result that are looked for in lists and templates; the others are written, listed or not. */
const mostChecked = 20;
/** A result has at most 1,000 URIs. */
const mostResultsPerWrite = 8;
const mostWaitingResults = 64;

export function createSharedSeenUris({ rows, now }: SharedSeenUrisOptions): SharedSeenUris {
  const stored = new LRUCache<string, { readonly server: string; readonly at: number }>({
    max: mostRemembered,
    maxSize: mostCharacters,
    sizeCalculation: (_, name) => name.length,
  });
  const unwritten = new LRUCache<string, SeenUri>({ max: mostRemembered });
  let writtenSinceRemoval = 0;
  // One at a time: a removal passes over the rows of another one.
  const removing = createMutex();
  const add = createBatcher<readonly SeenUri[]>({
    write,
    mostItems: mostResultsPerWrite,
    mostWaiting: mostWaitingResults,
    refuse: () => databaseFailure('busy'),
    isGeneral: (error) => toFailure(error).code === 'database_unavailable',
  });
  const load = createBatchLoader(async (names) => {
    const keys = await Promise.all(names.map(sha256));
    const servers = await rows.read(keys);
    return new Map(names.map((name, at) => [name, servers.get(keys[at] ?? '')]));
  });

  async function write(results: readonly (readonly SeenUri[])[]): Promise<void> {
    const seen = results.flat();
    await rows.write(seen);
    writtenSinceRemoval += seen.length;
    if (writtenSinceRemoval >= mostBetweenRemovals) removeOld().catch(() => {});
  }

  function removeOld(): Promise<void> {
    writtenSinceRemoval = 0;
    return removing(() => rows.removeBeyond(limits));
  }

  async function put(group: string, server: string, names: readonly string[]): Promise<void> {
    const seen = await Promise.all(names.map(async (name) => ({ key: await sha256(name), group, server })));
    if (!(await addOrKeep(seen))) return;
    for (const name of names) stored.set(name, { server, at: now() });
  }

  /** @returns whether they are written now. */
  async function addOrKeep(seen: readonly SeenUri[]): Promise<boolean> {
    try {
      await add(seen);
      for (const { key } of seen) unwritten.delete(key);
      return true;
    } catch {
      for (const one of seen) unwritten.set(one.key, one);
      return false;
    }
  }

  function isStored(name: string, server: string): boolean {
    const known = stored.get(name);
    return known?.server === server && now() - known.at < storedForMs;
  }

  return {
    store(group, server, uris, features) {
      if (!features.resourceServers.includes(server)) return undefined;
      const names = uris
        .filter((uri) => !isStored(nameInGroup(group, uri), server))
        .filter((uri, at) => at >= mostChecked || !features.isListed(uri))
        .map((uri) => nameInGroup(group, uri));
      return names.length === 0 ? undefined : put(group, server, names);
    },
    async serverOf(group, uri) {
      const name = nameInGroup(group, uri);
      const server = await load(name);
      // What is read will be in the answer of the read, too.
      if (server !== undefined) stored.set(name, { server, at: now() });
      return server;
    },
    async reap() {
      if (unwritten.size > 0) await addOrKeep([...unwritten.values()]);
      await removeOld();
    },
  };
}

/** Group names hold no spaces. */
export function nameInGroup(group: string, uri: string): string {
  return `${group} ${uri}`;
}
