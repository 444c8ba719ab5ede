import type { Catalog } from '../../catalog/catalog.ts';
import { Failure } from '../../failure.ts';
import { isProviderName } from '../../names/provider-names.ts';
import { quotedName } from '../../names/shown-names.ts';
import {
  assertKnown,
  assertUnchanged,
  type GroupToolsDeps,
  readEntry,
  type ToolsOfGroup,
} from '../group-tools.ts';
import type { Group } from '../groups.ts';
import { namesOf, visibleNameOf } from '../visible/visible-tools.ts';
import { createNameAdvice, type NamedTool } from './name-advice.ts';

/** Gives a tool another name for the agents of a group (`exposed_names`), or removes that name. */
export interface Exposure {
  /** Its full name. */
  readonly tool: string;
  /** Absent: the suggested name, where one is needed; null: the full name. */
  readonly name?: string | null | undefined;
}

export interface ExposedTool extends ToolsOfGroup {
  readonly enabled: boolean;
  /** The name that agents see, where that is not the full name. */
  readonly exposedName: string | undefined;
}

/**
 * @param etag As in `replaceTools`.
 * @throws Failure `invalid_params` for a name that some provider refuses, `tool_not_found`, `conflict` when another tool
 *   has the name, and as `Groups.change`.
 */
export async function exposeTool(
  deps: GroupToolsDeps,
  name: string,
  { tool, name: wanted }: Exposure,
  etag?: string,
): Promise<ExposedTool> {
  const { groups, catalog } = deps;
  if (typeof wanted === 'string' && !isProviderName(wanted)) throw badName();
  readEntry(deps, name);
  const group = await groups.change(name, (current) => {
    const isKnown = current.exposedNames.has(tool) || namesOf(current, catalog).includes(tool);
    assertUnchanged(catalog, current, etag);
    if (!isKnown) assertKnown(catalog, [tool]);
    const exposed = wanted === undefined ? suggestion(current, catalog, tool) : (wanted ?? tool);
    if (exposed !== visibleNameOf(current, tool)) assertFree(current, catalog, tool, exposed);
    return { ...current, exposedNames: withName(current.exposedNames, tool, exposed) };
  });
  const tools = namesOf(group, catalog);
  return { group, tools, enabled: tools.includes(tool), exposedName: group.exposedNames.get(tool) };
}

/** The present visible name, where no provider refuses it. */
function suggestion(group: Group, catalog: Pick<Catalog, 'tool' | 'tools'>, fullName: string): string {
  const named: NamedTool = catalog.tool(fullName) ?? { fullName, name: ownName(fullName) };
  const advice = createNameAdvice(group, catalog.tools())(named);
  return advice?.suggestion ?? visibleNameOf(group, fullName);
}

function ownName(fullName: string): string {
  return fullName.slice(fullName.indexOf('__') + 2);
}

/** Names of tools outside of the group count, too: else the group's file would break when one of them is added. */
function assertFree(group: Group, catalog: Pick<Catalog, 'tool'>, tool: string, name: string): void {
  const other = [...group.exposedNames].find(([of, given]) => given === name && of !== tool)?.[0];
  const owner = other ?? (name === tool ? undefined : catalog.tool(name)?.fullName);
  if (owner === undefined) return;
  throw new Failure(
    'conflict',
    `\`${name}\` is the name of ${quotedName(owner)} for this group; choose another one.`,
  );
}

/** Giving a tool its full name removes the entry. */
function withName(
  names: ReadonlyMap<string, string>,
  tool: string,
  name: string,
): ReadonlyMap<string, string> {
  const changed = new Map(names);
  if (name === tool) changed.delete(tool);
  else changed.set(tool, name);
  return changed;
}

function badName(): Failure {
  return new Failure(
    'invalid_params',
    'Field `name`: expected 1 to 64 letters, digits, `_` or `-`, which is what every model provider takes.',
  );
}
