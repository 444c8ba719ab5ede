import { canonicalText, toDocument } from '../config/parse-server-config.ts';
import type { ServerConfig } from '../config/server-config.ts';
import type { Queryable } from '../database/database.ts';
import { sha256 } from '../text/sha256.ts';
import type { ToolListing } from './catalog.ts';

/**
 * The SQL of the catalog: tables `servers` and `tools`. Definitions go in and out as the text they are; nothing
 * here parses one. Two processes may write the same server at once: its row is locked first, so the writes
 * follow one another and the later one stands whole.
 */
export interface ServerRow {
  readonly name: string;
  /** The config's document, parsed by the driver. */
  readonly config: unknown;
  /** Of its last tool list. */
  readonly listing_problems: readonly string[];
}

export interface ToolRow {
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

/** Whoever stores a server wants it: a removal that was never finished is forgotten. */
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

/** Fine when it has begun before. */
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
