import type { Catalog } from '../../catalog/catalog.ts';
import { toFailure } from '../../failure.ts';
import type { Group, GroupChange, Groups } from '../../groups/groups.ts';
import { namesOf } from '../../groups/visible/visible-tools.ts';
import type { Log } from '../../log.ts';
import { serverOf } from '../../names/names.ts';

/** Groups that name a server, one of its tools or one of its prompts. */

type ReadGroups = Pick<Groups, 'names' | 'read'>;

export function affectedGroups(groups: ReadGroups, server: string): string[] {
  return groups.names().filter((name) => {
    const group = groups.read(name)?.group;
    return group !== undefined && mentions(group, server);
  });
}

/** By group that names the server: the tools that its agents lose with the server. */
export function affectedTools(
  groups: ReadGroups,
  catalog: Pick<Catalog, 'server'>,
  server: string,
): Record<string, readonly string[]> {
  const affected = affectedGroups(groups, server).flatMap((name) => {
    const group = groups.read(name)?.group;
    if (group === undefined) return [];
    return [[name, namesOf(group, catalog).filter((tool) => serverOf(tool) === server)] as const];
  });
  return Object.fromEntries(affected);
}

/** Removes the server from groups. A group that cannot be written now keeps the names, and shows them as missing. */
export async function forgetServer(
  groups: Pick<Groups, 'change'>,
  names: readonly string[],
  server: string,
  log: Log,
): Promise<void> {
  for (const group of names) {
    await groups
      .change(group, (current) => without(current, server))
      .catch((error: unknown) => {
        log.warn(
          { group, server, reason: toFailure(error).message },
          'A group could not forget a deleted server.',
        );
      });
  }
}

function mentions(group: Group, server: string): boolean {
  const names = [...group.includedTools, ...(group.includedPrompts ?? [])];
  return group.includedServers.includes(server) || names.some((name) => serverOf(name) === server);
}

function without(group: Group, server: string): GroupChange {
  const isOfAnother = (name: string) => serverOf(name) !== server;
  return {
    includedTools: group.includedTools.filter(isOfAnother),
    includedServers: group.includedServers.filter((name) => name !== server),
    excludedTools: group.excludedTools.filter(isOfAnother),
    includedPrompts: group.includedPrompts?.filter(isOfAnother),
  };
}
