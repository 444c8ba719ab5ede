import type { Catalog, StoredTool } from '../../catalog/catalog.ts';
import { serverOf } from '../../names/names.ts';
import { groupNames, type ToolsOfServer } from '../group-lists.ts';
import type { Group, GroupLists } from '../groups.ts';
import { shownNameOf } from '../names/exposed-names.ts';

/**
 * What an agent of a group sees: the group's names that are known now, in the group's order, under the names
 * it shows them by. Names that vanished or cannot be shown are left out; the manager shows those.
 */
export interface VisibleTool {
  /** What agents list and call. */
  readonly visibleName: string;
  readonly tool: StoredTool;
}

export type KnownTools = Pick<Catalog, 'server' | 'tool'>;

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

/** The group's full names (contract section 4), vanished ones included. */
export function namesOf(lists: GroupLists, catalog: Pick<Catalog, 'server'>): readonly string[] {
  return groupNames(lists, toolsOfServer(catalog));
}

export function toolsOfServer(catalog: Pick<Catalog, 'server'>): ToolsOfServer {
  return (server) => catalog.server(server)?.tools.map((tool) => tool.fullName) ?? [];
}

/** Why the definition of a tool that its server lists cannot be given to agents, in a whole sentence. */
export function leftOutTool(catalog: Pick<Catalog, 'server'>, fullName: string): string | undefined {
  const { leftOut = [] } = catalog.server(serverOf(fullName)) ?? {};
  return leftOut.find((tool) => tool.fullName === fullName)?.why;
}

/** The same for a name that agents use, when the group names the tool; what it does not name is none of theirs. */
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
