import { canonicalText, parseServerConfig, toDocument } from '../config/parse-server-config.ts';
import type { ServerConfig } from '../config/server-config.ts';
import type { Queryable } from '../database/database.ts';
import type { Log } from '../log.ts';
import { sha256 } from '../text/sha256.ts';
import type { StoredServer, ToolListing } from './catalog.ts';
import { judgeTools, type ToolFacts, type ToolJudge } from './tool-judge.ts';

/**
 * The SQL of the catalog (tables `servers` and `tools`), and its rows as the objects that the catalog returns. Definitions
 * are stored as the text that they are. Two processes may write the same server at once: its row is locked first, so the
 * writes follow one another and the later one stands whole.
 */
interface ServerRow {
  readonly name: string;
  /** The config's document, parsed by the driver. */
  readonly config: unknown;
  /** Of the server's last tool list. */
  readonly listing_problems: readonly string[];
}

interface ToolRow {
  readonly server: string;
  readonly name: string;
  readonly definition: string;
  readonly hash: string;
  readonly first_listed_at: Date;
}

export interface Rows {
  readonly servers: readonly ServerRow[];
  readonly tools: readonly ToolRow[];
}

/** Without the tools of servers that are being removed. @param name Only this server; absent: all of them. */
export async function readCatalogRows(database: Queryable, name?: string): Promise<Rows> {
  const servers = await database.query<ServerRow>(
    'select name, config, listing_problems from servers where $1::text is null or name = $1',
    [name ?? null],
  );
  const tools = await database.query<ToolRow>(
    `select server, name, definition, hash, first_listed_at from tools
     where ($1::text is null or server = $1) and server not in (select server from deregistrations)
     order by server, position`,
    [name ?? null],
  );
  return { servers, tools };
}

/** Strikes out a removal that was never finished: a server that is stored again is not to be removed. */
export async function writeServer(transaction: Queryable, config: ServerConfig): Promise<void> {
  await transaction.query(
    `insert into servers (name, config, config_hash) values ($1, $2::json, $3)
     on conflict (name) do update
     set config = excluded.config, config_hash = excluded.config_hash, updated_at = now()`,
    [config.name, JSON.stringify(toDocument(config)), await sha256(canonicalText(config))],
  );
  await strikeRemoval(transaction, config.name);
}

/** Makes `tools` the server's whole list; a tool that was known keeps the time it was first listed. */
export async function writeTools(transaction: Queryable, server: string, tools: ToolListing): Promise<void> {
  const names = tools.map((tool) => tool.name);
  const hashes = await Promise.all(tools.map((tool) => sha256(tool.definition)));
  await transaction.query('delete from tools where server = $1 and not (name = any($2::text[]))', [
    server,
    names,
  ]);
  await transaction.query(
    `insert into tools (server, name, position, definition, hash)
     select $1, listed.name, listed.position, listed.definition, listed.hash
     from unnest($2::text[], $3::text[], $4::text[]) with ordinality as listed (name, definition, hash, position)
     on conflict (server, name) do update
     set position = excluded.position, definition = excluded.definition, hash = excluded.hash`,
    [server, names, tools.map((tool) => tool.definition), hashes],
  );
  await transaction.query('update servers set listing_problems = $2::text[] where name = $1', [
    server,
    tools.problems ?? [],
  ]);
}

export async function deleteServerRow(database: Queryable, name: string): Promise<void> {
  await database.query(
    `with offers as (delete from server_offers where server = $1) delete from servers where name = $1`,
    [name],
  );
}

/** Does nothing when the removal is on record already. */
export async function recordRemovalBegun(database: Queryable, name: string): Promise<void> {
  await database.query('insert into deregistrations (server) values ($1) on conflict do nothing', [name]);
}

export async function strikeRemoval(database: Queryable, name: string): Promise<void> {
  await database.query('delete from deregistrations where server = $1', [name]);
}

export async function readRemovalsBegun(database: Queryable): Promise<string[]> {
  const rows = await database.query<{ server: string }>('select server from deregistrations order by server');
  return rows.map(({ server }) => server);
}

interface StoredServerDeps {
  readonly log: Log;
  readonly judge: ToolJudge;
  /** Of configs that set none. */
  readonly callTimeoutMs?: number | undefined;
}

/** Servers in the rows' order, without those whose stored config this release cannot read. */
export async function toStoredServers(
  rows: Rows,
  { log, judge, callTimeoutMs }: StoredServerDeps,
): Promise<StoredServer[]> {
  await judge.judgeAhead(rows.tools);
  const tools = new Map<string, ToolFacts[]>();
  for (const row of rows.tools) {
    const ofServer = tools.get(row.server);
    if (ofServer) ofServer.push(toFacts(row));
    else tools.set(row.server, [toFacts(row)]);
  }
  return rows.servers.flatMap((row) => {
    const config = readConfig(row, log, callTimeoutMs);
    if (config === undefined) return [];
    const judged = judgeTools(row.name, tools.get(row.name) ?? [], judge, row.listing_problems);
    return [{ name: row.name, config, ...judged }];
  });
}

function readConfig(row: ServerRow, log: Log, callTimeoutMs?: number): ServerConfig | undefined {
  try {
    return parseServerConfig(row.config, callTimeoutMs);
  } catch {
    log.warn(
      { server: row.name },
      'The stored config of this server cannot be read; its file will replace it.',
    );
    return undefined;
  }
}

function toFacts({ name, definition, hash, first_listed_at: firstListedAt }: ToolRow): ToolFacts {
  return { name, definition, hash, firstListedAt };
}
