import { serverOf } from '../../names/names.ts';
import { whyNotShown } from '../../names/shown-names.ts';
import type { Group } from '../groups.ts';

/**
 * `exposed_names`: what agents see instead of a tool's or prompt's full name. Decided from the file alone, so that a group
 * does not break or heal when a server comes or goes: every name that an included server *could* offer counts
 * as taken.
 */
type Naming = Pick<Group, 'includedTools' | 'includedServers' | 'excludedTools' | 'exposedNames'>;

export function visibleNameOf(group: Pick<Naming, 'exposedNames'>, fullName: string): string {
  return group.exposedNames.get(fullName) ?? fullName;
}

/**
 * The same where agents can be shown it; else undefined, until `exposed_names` gives it another name.
 * @param own The name without the server's in front.
 */
export function shownNameOf(group: Naming, fullName: string, own: string): string | undefined {
  const given = group.exposedNames.get(fullName);
  return whyNotShown(given ?? own) === undefined ? (given ?? fullName) : undefined;
}

/** A visible name that two members of the group would share; undefined when all differ. */
export function findSharedName(group: Naming): string | undefined {
  const isMember = membership(group);
  const taken = new Set<string>();
  for (const [fullName, visibleName] of group.exposedNames) {
    if (!isMember(fullName)) continue;
    if (taken.has(visibleName) || keepsItsName(visibleName)) return visibleName;
    taken.add(visibleName);
  }
  return undefined;

  /** Some other member goes by this name without being renamed. */
  function keepsItsName(name: string): boolean {
    return isMember(name) && visibleNameOf(group, name) === name && !group.exposedNames.has(name);
  }
}

/** The same question for prompts, which have names of their own; asked only of those that the file lists. */
export function promptNaming({ includedPrompts = [], exposedNames }: Group): Naming {
  return { includedTools: includedPrompts, includedServers: [], excludedTools: [], exposedNames };
}

/** Whether the file puts a tool of that full name into the group, there or not. */
export function membership(group: Naming): (fullName: string) => boolean {
  const included = new Set(group.includedTools);
  const servers = new Set(group.includedServers);
  const excluded = new Set(group.excludedTools);
  return (fullName) => !excluded.has(fullName) && (included.has(fullName) || servers.has(serverOf(fullName)));
}
