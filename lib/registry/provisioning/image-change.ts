import type { StoredTool } from '../../catalog/catalog.ts';
import type { AvailableUpdate } from '../../containers/images/available-updates.ts';
import { updateRecord } from '../../containers/images/shown-images.ts';
import { problemsOf } from '../../definitions/some-problems.ts';
import type { RegistryDependencies } from '../registry-dependencies.ts';
import { affectedTools } from '../removal/affected-groups.ts';

/** What it means for a server to be made from another image, and how the API tells of it. */
export interface ImageChange {
  readonly name: string;
  /** `tried`: nothing was changed, as was asked. */
  readonly outcome: 'changed' | 'unchanged' | 'tried';
  readonly oldDigest: string;
  readonly newDigest: string;
  readonly tools: ToolDifferences;
  readonly toolCount: number;
  /** Of each group that loses a tool by it, or has one that is defined otherwise: those. */
  readonly affectedGroups: Readonly<Record<string, readonly string[]>>;
  readonly warnings: readonly string[];
  /** What is wrong with what it lists then. */
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

/** As long as the catalog has the tools of before. */
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

/** The body of the answer to an update (`verb`: `updated`) or a rollback (`rolled back`). */
export function imageChangeAnswer(change: ImageChange, verb: string): Record<string, unknown> {
  const {
    name,
    outcome,
    oldDigest,
    newDigest,
    tools,
    toolCount,
    affectedGroups,
    warnings,
    problems = [],
  } = change;
  return {
    message: message(change, verb),
    name,
    ...(outcome === 'unchanged' ? { unchanged: true } : {}),
    ...(outcome === 'tried' ? { dry_run: true } : {}),
    old_digest: oldDigest,
    new_digest: newDigest,
    tools,
    ...(Object.keys(affectedGroups).length > 0 ? { affected_groups: affectedGroups } : {}),
    tool_count: toolCount,
    ...(warnings.length > 0 ? { warnings } : {}),
    ...problemsOf({ problems }),
  };
}

/** The body of the answer to an update with `check`. */
export function updateCheckAnswer(
  name: string,
  feature: AvailableUpdate | undefined,
): Record<string, unknown> {
  const message =
    feature === undefined
      ? `Server ${name} has the newest image.`
      : `There is a newer image of ${feature.reference} for server ${name}; it keeps its own until it is updated.`;
  return { message, name, ...(feature === undefined ? {} : { update_available: updateRecord(feature) }) };
}

function message({ name, outcome, tools, toolCount, warnings }: ImageChange, verb: string): string {
  if (outcome === 'unchanged') {
    return warnings.length === 0
      ? `Server ${name} has the newest image already; nothing was changed.`
      : `Server ${name} keeps its image; no newer one could be had.`;
  }
  const counts = [
    toolCount === 1 ? '1 tool' : `${toolCount} tools`,
    ...Object.entries(tools).flatMap(([how, { length }]) => (length === 0 ? [] : [`${length} ${how}`])),
  ].join(', ');
  return outcome === 'tried'
    ? `Nothing was changed; server ${name} would be ${verb}: ${counts}.`
    : `Server ${name} is ${verb}: ${counts}.`;
}
