import type { StoredTool } from '../../catalog/catalog.ts';
import type { RegistryDependencies } from '../registry-dependencies.ts';
import { affectedTools } from '../removal/affected-groups.ts';

/** The result of making a server from another image. */
export interface ImageChange {
  readonly name: string;
  /** `tried`: a dry run. */
  readonly outcome: 'changed' | 'unchanged' | 'tried';
  readonly oldDigest: string;
  readonly newDigest: string;
  readonly tools: ToolDifferences;
  readonly toolCount: number;
  /** By group: its tools that are removed or changed. */
  readonly affectedGroups: Readonly<Record<string, readonly string[]>>;
  readonly warnings: readonly string[];
  /** Problems in the lists of the new image. */
  readonly problems?: readonly string[];
}

/** Full names. */
export interface ToolDifferences {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
}

export const noDifferences: ToolDifferences = { added: [], removed: [], changed: [] };

export function toolDifferences(
  before: readonly StoredTool[],
  after: readonly StoredTool[],
): ToolDifferences {
  const hashBefore = new Map(before.map(({ fullName, hash }) => [fullName, hash]));
  const namesAfter = new Set(after.map(({ fullName }) => fullName));
  const isChanged = ({ fullName, hash }: StoredTool) =>
    hashBefore.has(fullName) && hashBefore.get(fullName) !== hash;
  return {
    added: after.filter(({ fullName }) => !hashBefore.has(fullName)).map(({ fullName }) => fullName),
    removed: [...hashBefore.keys()].filter((name) => !namesAfter.has(name)),
    changed: after.filter(isChanged).map(({ fullName }) => fullName),
  };
}

/** Called while the catalog has the tools of the old image. */
export function groupsAffectedBy(
  { groups, catalog }: Pick<RegistryDependencies, 'groups' | 'catalog'>,
  server: string,
  { removed, changed }: ToolDifferences,
): Record<string, readonly string[]> {
  const affected = new Set([...removed, ...changed]);
  const of = Object.entries(affectedTools(groups, catalog, server)).map(
    ([group, tools]) => [group, tools.filter((tool) => affected.has(tool))] as const,
  );
  return Object.fromEntries(of.filter(([, tools]) => tools.length > 0));
}
