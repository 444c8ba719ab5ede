import { createMutex } from '../async/mutex.ts';
import { retryForever } from '../async/retry.ts';
import { withoutLiterals } from '../config/secret-literals.ts';
import type { Database } from '../database/database.ts';
import { logProblems } from '../definitions/some-problems.ts';
import type { Bus } from '../events/bus.ts';
import { Failure } from '../failure.ts';
import type { Log } from '../log.ts';
import { type Catalog, isSameServer, type StoredServer, type StoredTool } from './catalog.ts';
import {
  deleteServerRow,
  type Rows,
  readCatalogRows,
  readRemovalsBegun,
  recordRemovalBegun,
  strikeRemoval,
  toStoredServers,
  writeServer,
  writeTools,
} from './catalog-rows.ts';
import { createToolJudge, noTools } from './tool-judge.ts';

/**
 * The catalog over the database: every write goes there first and then into memory, every read is from memory. A bus
 * message of another process makes one server be read again, a gap in the messages all of them. Configs are stored
 * without their literal values.
 */
export function createCatalog(deps: {
  readonly database: Database;
  readonly bus: Bus;
  readonly log: Log;
  /** Of configs that set none. */
  readonly callTimeoutMs?: number;
}): Catalog {
  const { database, bus, log, callTimeoutMs } = deps;
  const index = createCatalogIndex();
  const judge = createToolJudge();
  const toServers = (rows: Rows) => toStoredServers(rows, { log, judge, callTimeoutMs });
  // The result of a read must not overtake a write that was acknowledged meanwhile.
  const mutex = createMutex();
  let isLoaded = false;

  /** Publishes changes of other processes, too: views that were built on the old copy are stale only now. */
  const cache = (name: string, server: StoredServer | undefined) => {
    const before = index.server(name);
    if (isSameServer(before, server)) return;
    index.put(name, server);
    logProblems(log, server, before);
    bus.publish({ type: 'tools', name });
  };
  const load = () =>
    mutex(async () => {
      const servers = await toServers(await readCatalogRows(database));
      const gone = new Set(index.servers().map((server) => server.name));
      for (const server of servers) {
        gone.delete(server.name);
        cache(server.name, server);
      }
      for (const name of gone) cache(name, undefined);
      isLoaded = true;
    });
  const reload = (name: string) =>
    mutex(async () => cache(name, (await toServers(await readCatalogRows(database, name)))[0]));
  const endWithdrawal = async (name: string) => {
    await strikeRemoval(database, name);
    await reload(name);
  };
  const untilDone = (work: () => Promise<void>) =>
    retryForever(work, { longestPauseMs: 2_000 }).catch((error: unknown) => {
      log.error({ error: String(error) }, 'The catalog could not be read again.');
    });

  bus.subscribe((busMessage, origin) => {
    if (busMessage.type === 'tools' && origin === 'remote') void untilDone(() => reload(busMessage.name));
  });
  bus.onGap(() => void untilDone(load));

  return {
    isLoaded: () => isLoaded,
    load,
    servers: index.servers,
    server: index.server,
    tool: index.tool,
    tools: index.tools,
    store: (config, tools) =>
      mutex(async () => {
        const rows = await database.transaction(async (transaction) => {
          await writeServer(transaction, withoutLiterals(config));
          if (tools) await writeTools(transaction, config.name, tools);
          return await readCatalogRows(transaction, config.name);
        });
        const [stored] = await toServers(rows);
        if (!stored) throw new Failure('internal', 'The stored server could not be read back.');
        cache(config.name, stored);
        return stored;
      }),
    remove: (name) =>
      mutex(async () => {
        await deleteServerRow(database, name);
        cache(name, undefined);
      }),
    withdraw: (name) =>
      mutex(async () => {
        const before = index.server(name);
        await recordRemovalBegun(database, name);
        cache(name, before && { ...before, ...noTools });
        return () =>
          endWithdrawal(name).catch(() => {
            cache(name, before);
            void untilDone(() => endWithdrawal(name)).then(() => bus.publish({ type: 'tools', name }));
          });
      }),
    endWithdrawal,
    withdrawn: () => readRemovalsBegun(database),
  };
}

/**
 * The catalog's copy in memory. The sorted lists are built on the first read after a change and then shared, since
 * reads are far more frequent than changes.
 */
export interface CatalogIndex {
  servers(): readonly StoredServer[];
  server(name: string): StoredServer | undefined;
  tool(fullName: string): StoredTool | undefined;
  tools(): readonly StoredTool[];
  /** Undefined removes the server. */
  put(name: string, server: StoredServer | undefined): void;
}

interface Lists {
  readonly servers: readonly StoredServer[];
  readonly tools: readonly StoredTool[];
  readonly byFullName: ReadonlyMap<string, StoredTool>;
}

export function createCatalogIndex(): CatalogIndex {
  const byName = new Map<string, StoredServer>();
  let built: Lists | undefined;
  const lists = () => {
    built ??= buildLists(byName.values());
    return built;
  };
  return {
    servers: () => lists().servers,
    server: (name) => byName.get(name),
    tool: (fullName) => lists().byFullName.get(fullName),
    tools: () => lists().tools,
    put(name, server) {
      if (server) byName.set(name, server);
      else byName.delete(name);
      built = undefined;
    },
  };
}

/** Full names cannot collide, since the name of a server never holds `__` (names.ts). */
function buildLists(unsorted: Iterable<StoredServer>): Lists {
  const servers = [...unsorted].sort((a, b) => (a.name < b.name ? -1 : 1));
  const tools = servers.flatMap((server) => server.tools).sort((a, b) => (a.fullName < b.fullName ? -1 : 1));
  return { servers, tools, byFullName: new Map(tools.map((tool) => [tool.fullName, tool])) };
}
