import type { FeatureCatalog } from '../../catalog/features.ts';
import type { Database, Queryable } from '../../database/database.ts';
import type { Group, Groups } from '../groups.ts';
import {
  type EntryScope,
  entryScope,
  type FormerServers,
  featuresOfEntry,
  type KnownServers,
  listersOf,
} from '../visible/visible-features.ts';

/**
 * Former servers in table `former_servers`, recorded once, when this version first starts on a database, so that an
 * upgrade takes no resource away; entries that come later name their server (docs/decisions/0015).
 */
export interface DatabaseFormerServers extends FormerServers {
  /** Call when groups, catalog and features are loaded. */
  load(): Promise<void>;
}

export interface FormerServersDeps {
  readonly database: Pick<Database, 'transaction'>;
  readonly groups: Pick<Groups, 'names' | 'read'>;
  readonly catalog: KnownServers;
  readonly features: Pick<FeatureCatalog, 'of'>;
  /** Only the process that reads the group files records. */
  readonly hasFiles: boolean;
}

interface Row {
  readonly group_name: string;
  readonly entry: string;
  readonly server: string;
}

export function createFormerServers({
  database,
  groups,
  catalog,
  features,
  hasFiles,
}: FormerServersDeps): DatabaseFormerServers {
  let known: ReadonlyMap<string, string> = new Map();

  function unambiguous(group: Group): readonly Row[] {
    const scope = entryScope(group, catalog, features);
    return (group.includedResources ?? []).flatMap((entry) => {
      const [server, ...others] = listersOf(entry, scope);
      const isFormer = server !== undefined && others.length === 0 && !hasFeature(entry, scope);
      return isFormer ? [{ group_name: group.name, entry, server }] : [];
    });
  }

  async function recordOnce(transaction: Queryable): Promise<void> {
    const isFirst = await transaction.query(
      'insert into former_servers_noted default values on conflict do nothing returning only_row',
    );
    if (isFirst.length === 0) return;
    const rows = groups.names().flatMap((name) => {
      const group = groups.read(name)?.group;
      return group ? unambiguous(group) : [];
    });
    await transaction.query(
      `insert into former_servers (group_name, entry, server)
       select * from unnest($1::text[], $2::text[], $3::text[]) on conflict do nothing`,
      [rows.map((row) => row.group_name), rows.map((row) => row.entry), rows.map((row) => row.server)],
    );
  }

  return {
    serverOf: (group, entry) => known.get(keyOf(group, entry)),
    load: () =>
      database.transaction(async (transaction) => {
        if (hasFiles) await recordOnce(transaction);
        const rows = await transaction.query<Row>('select group_name, entry, server from former_servers');
        known = new Map(rows.map((row) => [keyOf(row.group_name, row.entry), row.server]));
      }),
  };
}

function hasFeature(entry: string, scope: EntryScope): boolean {
  return (
    featuresOfEntry(entry, 'resources', scope).length + featuresOfEntry(entry, 'templates', scope).length > 0
  );
}

/** Group names hold no spaces. */
function keyOf(group: string, entry: string): string {
  return `${group} ${entry}`;
}
