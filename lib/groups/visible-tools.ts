import type { Catalog, StoredTool } from '../catalog/catalog.ts';
import { shownNameOf } from './exposed-names.ts';
import { groupNames, type ToolsOfServer } from './group-lists.ts';
import type { Group, GroupLists } from './groups.ts';

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
