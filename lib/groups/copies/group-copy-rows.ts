import type { Queryable } from '../../database/database.ts';
import { type ParsedGroup, parseGroup } from '../files/parse-group.ts';
import type { Group, GroupEntry } from '../groups.ts';

/** Copies of group files in table `group_copies`, and the SQL on it. */
interface Row {
  readonly name: string;
  readonly document: string | null;
  readonly etag: string | null;
  readonly modified_at: Date | null;
  readonly problem: string | null;
}

/** What tells one version of a copy from another. */
export interface CopyVersion {
  readonly name: string;
  readonly etag: string | undefined;
  readonly problem: string | undefined;
}

export interface GroupCopy extends CopyVersion {
  /** As the group's file would parse. */
  readonly parsed: ParsedGroup;
}

/** @param name Only this group's; absent: all of them. */
export async function readCopies(database: Queryable, name?: string): Promise<readonly GroupCopy[]> {
  const rows = await database.query<Row>(
    `select name, document, etag, modified_at, problem from group_copies
     where $1::text is null or name = $1 order by name`,
    [name ?? null],
  );
  return rows.map((row) => ({ ...versionOf(row), parsed: toParsed(row) }));
}

export async function readCopyVersions(database: Queryable): Promise<readonly CopyVersion[]> {
  return (await database.query<Row>('select name, etag, problem from group_copies')).map(versionOf);
}

/** An unusable file leaves the last good version as it was copied, where this process knows none. */
export async function writeCopy(
  database: Queryable,
  name: string,
  { group, problem }: GroupEntry,
): Promise<void> {
  await database.query(
    `insert into group_copies (name, document, etag, modified_at, problem) values ($1, $2, $3, $4, $5)
     on conflict (name) do update set
       document = coalesce(excluded.document, group_copies.document),
       etag = coalesce(excluded.etag, group_copies.etag),
       modified_at = coalesce(excluded.modified_at, group_copies.modified_at),
       problem = excluded.problem`,
    [name, documentOf(group), group?.etag ?? null, group?.modifiedAt ?? null, problem ?? null],
  );
}

export async function deleteCopy(database: Queryable, name: string): Promise<void> {
  await database.query('delete from group_copies where name = $1', [name]);
}

function documentOf(group: Group | undefined): string | null {
  return group === undefined ? null : JSON.stringify(group.document);
}

function versionOf({ name, etag, problem }: Pick<Row, 'name' | 'etag' | 'problem'>): CopyVersion {
  return { name, etag: etag ?? undefined, problem: problem ?? undefined };
}

function toParsed({ name, document, etag, modified_at, problem }: Row): ParsedGroup {
  const good =
    document === null
      ? undefined
      : parseGroup(name, { text: document, etag: etag ?? '', modifiedAt: modified_at ?? new Date(0) });
  if (problem === null) return good ?? { problem: 'The copy of its file holds nothing.' };
  return { problem, lastGood: good !== undefined && 'group' in good ? good.group : undefined };
}
