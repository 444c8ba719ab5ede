import type { GroupLists } from './groups.ts';

/**
 * The one set of rules for what is in a group and how that changes (contract section 4, "Files"). Pure: no
 * file, no catalog, only lists. Names are always full tool names, never the ones agents see.
 */

/** Full names of the tools a server is known to offer; none for an unknown server. */
export type ToolsOfServer = (server: string) => readonly string[];

/**
 * `included_tools` in file order, then the tools of `included_servers`, minus `excluded_tools`. Models read an order as a
 * ranking, so a server's tools stand as the server lists them.
 */
export function groupNames(lists: GroupLists, toolsOfServer: ToolsOfServer): readonly string[] {
  const excluded = new Set(lists.excludedTools);
  const names = new Set(lists.includedTools);
  for (const name of broughtIn(lists, toolsOfServer)) names.add(name);
  return [...names].filter((name) => !excluded.has(name));
}

export function switchOn(lists: GroupLists, name: string, toolsOfServer: ToolsOfServer): GroupLists {
  const allowed = { ...lists, excludedTools: without(lists.excludedTools, name) };
  if (groupNames(allowed, toolsOfServer).includes(name)) return allowed;
  return { ...allowed, includedTools: [...allowed.includedTools, name] };
}

export function switchOff(lists: GroupLists, name: string, toolsOfServer: ToolsOfServer): GroupLists {
  const dropped = { ...lists, includedTools: without(lists.includedTools, name) };
  if (!groupNames(dropped, toolsOfServer).includes(name)) return dropped;
  return { ...dropped, excludedTools: [...dropped.excludedTools, name] };
}

/**
 * Exactly the given set, in the given order as far as the file decides it: what a server brings in without
 * being listed stays unlisted and comes last.
 */
export function replaceNames(
  lists: GroupLists,
  names: readonly string[],
  toolsOfServer: ToolsOfServer,
): GroupLists {
  const wanted = new Set(names);
  const listed = new Set(lists.includedTools);
  const fromServers = new Set(broughtIn(lists, toolsOfServer));
  const excluded = new Set(lists.excludedTools.filter((name) => !wanted.has(name)));
  for (const name of fromServers) if (!wanted.has(name)) excluded.add(name);
  return {
    includedTools: [...wanted].filter((name) => listed.has(name) || !fromServers.has(name)),
    includedServers: lists.includedServers,
    excludedTools: [...excluded],
  };
}

export function sameLists(one: GroupLists, other: GroupLists): boolean {
  return (
    sameList(one.includedTools, other.includedTools) &&
    sameList(one.includedServers, other.includedServers) &&
    sameList(one.excludedTools, other.excludedTools)
  );
}

/** Servers by name, so that the order does not depend on how the file lists them. */
function broughtIn(lists: GroupLists, toolsOfServer: ToolsOfServer): readonly string[] {
  return [...lists.includedServers].sort().flatMap((server) => toolsOfServer(server));
}

function without(names: readonly string[], name: string): readonly string[] {
  return names.filter((each) => each !== name);
}

function sameList(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((name, at) => name === other[at]);
}
