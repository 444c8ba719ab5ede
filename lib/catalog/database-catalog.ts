import { createMutex } from '../async/mutex.ts';
import { retryForever } from '../async/retry.ts';
import { withoutLiterals } from '../config/secret-literals.ts';
import type { Database } from '../database/database.ts';
import { logProblems } from '../definitions/some-problems.ts';
import type { Bus } from '../events/bus.ts';
import { Failure } from '../failure.ts';
import type { Log } from '../log.ts';
import type { Catalog, StoredServer } from './catalog.ts';
import { createCatalogIndex } from './catalog-index.ts';
import {
  deleteServerRow,
  type Rows,
  readCatalogRows,
  readRemovalsBegun,
  recordRemovalBegun,
  strikeRemoval,
  writeServer,
  writeTools,
} from './catalog-rows.ts';
import { noTools } from './judged-tools.ts';
import { isSameServer, toStoredServers } from './stored-server.ts';
import { createToolJudge } from './tool-judge.ts';

/**
 * The catalog over the database: every write goes there first and then into memory, every read is from memory.
 * Other processes' news make one server be read again, a gap in the news all of them. Literal values never
 * get here: a config is stored without them.
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
  // What a read brought must not overtake a write that was acknowledged meanwhile.
  const mutex = createMutex();
  let isLoaded = false;

  /** News go out on every change, whoever made it: what others built on the old copy is stale only now. */
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
