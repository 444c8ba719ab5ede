import type { Catalog, StoredTool } from '../../catalog/catalog.ts';
import { serverOf } from '../../names/names.ts';
import { whyNotShown } from '../../names/shown-names.ts';
import { groupNames, type ToolsOfServer } from '../group-lists.ts';
import type { Group, GroupLists } from '../groups.ts';

/**
 * The tools for agents of a group: the group's names that are in the catalog, in the group's order, under the names of
 * `exposed_names`. Names that vanished or cannot be shown are left out; the manager shows those.
 */
export interface VisibleTool {
  /** The name that agents list and call. */
  readonly visibleName: string;
  readonly tool: StoredTool;
}

export type KnownTools = Pick<Catalog, 'server' | 'tool'>;

/** The name that agents see: that of `exposed_names`, else the full name. */
export function visibleNameOf(group: Pick<Group, 'exposedNames'>, fullName: string): string {
  return group.exposedNames.get(fullName) ?? fullName;
}

/**
 * The same for a name that clients can show; else undefined, until `exposed_names` gives it another name.
 * @param own The name without the server's prefix.
 */
export function shownNameOf(
  group: Pick<Group, 'exposedNames'>,
  fullName: string,
  own: string,
): string | undefined {
  const given = group.exposedNames.get(fullName);
  return whyNotShown(given ?? own) === undefined ? (given ?? fullName) : undefined;
}

/** By visible name, in the group's order. A Map, so that no name can reach a prototype. */
export function visibleTools(group: Group, catalog: KnownTools): ReadonlyMap<string, VisibleTool> {
  const visible = new Map<string, VisibleTool>();
  for (const name of namesOf(group, catalog)) {
    const tool = catalog.tool(name);
    if (tool === undefined) continue;
    const visibleName = shownNameOf(group, name, tool.name);
    if (visibleName !== undefined) visible.set(visibleName, { visibleName, tool });
  }
  return visible;
}

/** The group's full names (docs/api.md, Group files), vanished ones included. */
export function namesOf(lists: GroupLists, catalog: Pick<Catalog, 'server'>): readonly string[] {
  return groupNames(lists, toolsOfServer(catalog));
}

export function toolsOfServer(catalog: Pick<Catalog, 'server'>): ToolsOfServer {
  return (server) => catalog.server(server)?.tools.map((tool) => tool.fullName) ?? [];
}

/** Why agents do not get a tool that its server lists, in a whole sentence. */
export function leftOutTool(catalog: Pick<Catalog, 'server'>, fullName: string): string | undefined {
  const { leftOut = [] } = catalog.server(serverOf(fullName)) ?? {};
  return leftOut.find((tool) => tool.fullName === fullName)?.why;
}

/** The same for a visible name. Only of tools in the group: agents learn nothing about other tools. */
export function whyLeftOut(
  group: Group,
  catalog: Pick<Catalog, 'server'>,
  visibleName: string,
): string | undefined {
  const [given] = [...group.exposedNames].find(([, exposed]) => exposed === visibleName) ?? [];
  const fullName = given ?? visibleName;
  const server = serverOf(fullName);
  const isNamed =
    !group.excludedTools.includes(fullName) &&
    (group.includedTools.includes(fullName) || group.includedServers.includes(server));
  return isNamed ? leftOutTool(catalog, fullName) : undefined;
}
