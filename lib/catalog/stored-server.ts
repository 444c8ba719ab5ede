import { canonicalText, parseServerConfig } from '../config/parse-server-config.ts';
import type { ServerConfig } from '../config/server-config.ts';
import type { Log } from '../log.ts';
import type { StoredServer, ToolListing } from './catalog.ts';
import type { Rows, ServerRow, ToolRow } from './catalog-rows.ts';
import { judgeTools, type ToolFacts } from './judged-tools.ts';
import type { ToolJudge } from './tool-judge.ts';

/** Rows of the database as the objects that the catalog hands out, and when two of those are the same. */

export interface StoredServerDeps {
  readonly log: Log;
  readonly judge: ToolJudge;
  /** Of configs that set none. */
  readonly callTimeoutMs?: number | undefined;
}

/** Servers in the rows' order; one whose stored config an older or newer release wrote otherwise is left out. */
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

export function isSameServer(one: StoredServer | undefined, other: StoredServer | undefined): boolean {
  if (!one || !other) return one === other;
  return (
    canonicalText(one.config) === canonicalText(other.config) && isSameToolList(one.listed, other.listed)
  );
}

export function isSameToolList(one: ToolListing, other: ToolListing): boolean {
  return (
    one.problems?.join('\n') === other.problems?.join('\n') &&
    one.length === other.length &&
    one.every((tool, at) => tool.name === other[at]?.name && tool.definition === other[at]?.definition)
  );
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
