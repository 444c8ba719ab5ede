import { serverOf } from '../names/names.ts';
import type { GroupLists } from './groups.ts';

/**
 * The rules for the tools of a group and for their changes (docs/api.md, Group files): pure functions on lists. Names
 * are always full tool names, never those that agents see.
 */

/** Full names of a server's tools; none for an unknown server. */
export type ToolsOfServer = (server: string) => readonly string[];

/**
 * `included_tools` in file order, then the tools of `included_servers`, minus `excluded_tools`. A server's tools keep the
 * order of its list, since models read an order as a ranking.
 */
export function groupNames(lists: GroupLists, toolsOfServer: ToolsOfServer): readonly string[] {
  const excluded = new Set(lists.excludedTools);
  const names = new Set(lists.includedTools);
  for (const name of ofServers(lists, toolsOfServer)) names.add(name);
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
 * Exactly the given set, in the given order as far as the file decides it: tools of an included server that are not
 * listed stay unlisted and come last.
 */
export function replaceNames(
  lists: GroupLists,
  names: readonly string[],
  toolsOfServer: ToolsOfServer,
): GroupLists {
  const wanted = new Set(names);
  const listed = new Set(lists.includedTools);
  const fromServers = new Set(ofServers(lists, toolsOfServer));
  const excluded = new Set(lists.excludedTools.filter((name) => !wanted.has(name)));
  for (const name of fromServers) if (!wanted.has(name)) excluded.add(name);
  return {
    includedTools: [...wanted].filter((name) => listed.has(name) || !fromServers.has(name)),
    includedServers: lists.includedServers,
    excludedTools: [...excluded],
  };
}

/** Whether the file puts a tool of that full name into the group, in the catalog or not. */
export function membership(lists: GroupLists): (fullName: string) => boolean {
  const included = new Set(lists.includedTools);
  const servers = new Set(lists.includedServers);
  const excluded = new Set(lists.excludedTools);
  return (fullName) => !excluded.has(fullName) && (included.has(fullName) || servers.has(serverOf(fullName)));
}

export function sameLists(one: GroupLists, other: GroupLists): boolean {
  return (
    sameList(one.includedTools, other.includedTools) &&
    sameList(one.includedServers, other.includedServers) &&
    sameList(one.excludedTools, other.excludedTools)
  );
}

/** Servers by name, so that the order does not depend on how the file lists them. */
function ofServers(lists: GroupLists, toolsOfServer: ToolsOfServer): readonly string[] {
  return [...lists.includedServers].sort().flatMap((server) => toolsOfServer(server));
}

function without(names: readonly string[], name: string): readonly string[] {
  return names.filter((each) => each !== name);
}

export function sameList(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((name, at) => name === other[at]);
}
