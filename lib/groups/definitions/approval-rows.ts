import type { Queryable } from '../../database/database.ts';

/**
 * Approved definitions in table `accepted_tools`, and the SQL on it. Names are sorted, so that two processes lock rows in
 * the same order.
 */
export interface Definition {
  readonly hash: string;
  /** The text of that hash; undefined: it is unknown, or too long to be stored. */
  readonly text: string | undefined;
}

export interface ApprovedDefinition extends Definition {
  readonly approvedAt: Date;
}

/** By full tool name. */
export type Definitions = ReadonlyMap<string, Definition>;

/** In characters. A longer definition is approved by its hash alone. */
const longestText = 65_536;

/** The current, stored definition of a tool. */
export function definitionOf({
  hash,
  definition,
}: {
  readonly hash: string;
  readonly definition: string;
}): Definition {
  return { hash, text: definition.length > longestText ? undefined : definition };
}

/** Tool name → hash of its approved definition. */
export type Hashes = ReadonlyMap<string, string>;

export async function readAllRows(database: Queryable): Promise<ReadonlyMap<string, Map<string, string>>> {
  const rows = await database.query<{ group_name: string; tool: string; hash: string }>(
    'select group_name, tool, hash from accepted_tools',
  );
  const groups = new Map<string, Map<string, string>>();
  for (const row of rows) {
    const hashes = groups.get(row.group_name) ?? new Map<string, string>();
    groups.set(row.group_name, hashes.set(row.tool, row.hash));
  }
  return groups;
}

export async function readApprovalRows(database: Queryable, group: string): Promise<Map<string, string>> {
  const rows = await database.query<{ tool: string; hash: string }>(
    'select tool, hash from accepted_tools where group_name = $1',
    [group],
  );
  return new Map(rows.map((row) => [row.tool, row.hash]));
}

export async function readRow(
  database: Queryable,
  group: string,
  tool: string,
): Promise<ApprovedDefinition | undefined> {
  const [row] = await database.query<{ hash: string; definition: string | null; accepted_at: Date }>(
    'select hash, definition, accepted_at from accepted_tools where group_name = $1 and tool = $2',
    [group, tool],
  );
  return row && { hash: row.hash, text: row.definition ?? undefined, approvedAt: row.accepted_at };
}

/** A missing text is copied from the same definition in another group. */
export async function saveRows(database: Queryable, group: string, tools: Definitions): Promise<void> {
  await database.query(
    `insert into accepted_tools (group_name, tool, hash, definition)
     select $1, given.tool, given.hash, coalesce(given.definition, kept.definition)
     from unnest($2::text[], $3::text[], $4::text[]) as given (tool, hash, definition)
     left join lateral (
       select definition from accepted_tools
       where given.definition is null and tool = given.tool and hash = given.hash and definition is not null
       limit 1
     ) as kept on true
     on conflict (group_name, tool) do update
     set hash = excluded.hash, definition = excluded.definition, accepted_at = now()
     where accepted_tools.hash <> excluded.hash`,
    parameters(group, tools),
  );
}

/** Existing rows stay unchanged: another process saw the tool first. */
export async function saveNewRows(database: Queryable, group: string, tools: Definitions): Promise<void> {
  await database.query(
    `insert into accepted_tools (group_name, tool, hash, definition)
     select $1, tool, hash, definition
     from unnest($2::text[], $3::text[], $4::text[]) as given (tool, hash, definition)
     on conflict (group_name, tool) do nothing`,
    parameters(group, tools),
  );
}

/** Replaces all rows of the second group. */
export async function copyRows(database: Queryable, from: string, to: string): Promise<void> {
  await database.query('delete from accepted_tools where group_name = $1', [to]);
  await database.query(
    `insert into accepted_tools (group_name, tool, hash, definition, accepted_at)
     select $2, tool, hash, definition, accepted_at from accepted_tools where group_name = $1 order by tool`,
    [from, to],
  );
}

function parameters(group: string, definitions: Definitions): readonly unknown[] {
  const tools = [...definitions.keys()].sort();
  const hashes = tools.map((tool) => definitions.get(tool)?.hash);
  return [group, tools, hashes, tools.map((tool) => definitions.get(tool)?.text ?? null)];
}
