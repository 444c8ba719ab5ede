import type { Catalog } from '../../catalog/catalog.ts';
import type { FeatureCatalog } from '../../catalog/features.ts';
import type { Bus } from '../../events/bus.ts';
import type { Log } from '../../log.ts';
import { isProviderName } from '../../names/provider-names.ts';
import { quotedName } from '../../names/shown-names.ts';
import type { Group, Groups } from '../groups.ts';
import { resourceWarnings } from '../visible/resource-warnings.ts';
import { entryScope, type FormerServers, type KnownServers } from '../visible/visible-features.ts';
import { type KnownTools, namesOf, visibleTools } from '../visible/visible-tools.ts';
import { followGroups, type GroupFollowing } from './follow-groups.ts';

/**
 * Warnings in the log about the content of groups: each once for the same findings, however often the group changes
 * otherwise. Started once servers had time to list their tools and resources.
 */
export interface GroupWarningDeps {
  readonly groups: Pick<Groups, 'names' | 'read' | 'isLoaded'>;
  readonly catalog: KnownTools & Pick<Catalog, 'isLoaded'>;
  readonly bus: Bus;
  readonly log: Log;
  /** Long enough for a server that restarts or is registered to list its tools. */
  readonly delayMs?: number;
}

export interface ResourceWarningDeps extends GroupWarningDeps {
  readonly catalog: KnownServers & Pick<Catalog, 'isLoaded'>;
  readonly features: Pick<FeatureCatalog, 'of'>;
  readonly formerServers?: FormerServers;
}

/** The log is bounded, since anyone may write the files and names. */
const mostNames = 10;
const longestName = 100;

/** One name that a model provider refuses makes whole requests fail, with the tools of other servers in them. */
export function warnOfRefusedNames(deps: GroupWarningDeps): GroupFollowing {
  const find = (group: Group) =>
    [...visibleTools(group, deps.catalog).keys()].filter((name) => !isProviderName(name));
  const message =
    'model providers refuse names of tools that agents of a group see; *Rename* on the page gives them others';
  return followFindings(deps, find, (group, names) =>
    warnOfNames(deps.log, message, group, names, quotedName),
  );
}

/** A typing error in a file would otherwise only show as a missing tool. */
export function warnOfUnknownNames(deps: GroupWarningDeps): GroupFollowing {
  const { catalog, log } = deps;
  const find = (group: Group) => [
    ...namesOf(group, catalog).filter((name) => catalog.tool(name) === undefined),
    ...group.includedServers.filter((server) => catalog.server(server) === undefined),
  ];
  const message = 'a group names tools or servers that are not there';
  return followFindings(deps, find, (group, names) =>
    warnOfNames(log, message, group, names, (name) => name.slice(0, longestName)),
  );
}

/** Ambiguous entries of `included_resources`. */
export function warnOfResources(deps: ResourceWarningDeps): GroupFollowing {
  const { catalog, features, formerServers, log } = deps;
  const find = (group: Group) => resourceWarnings(group, entryScope(group, catalog, features, formerServers));
  return followFindings(deps, find, (group, warnings) =>
    log.warn({ group, warnings }, 'resources that a group lists are not clear'),
  );
}

function warnOfNames(
  log: Log,
  message: string,
  group: string,
  found: readonly string[],
  shown: (name: string) => string,
): void {
  const names = found.slice(0, mostNames).map(shown);
  log.warn({ group, names, more: found.length - names.length }, message);
}

function followFindings(
  deps: GroupWarningDeps,
  find: (group: Group) => readonly string[],
  warn: (group: string, found: readonly string[]) => void,
): GroupFollowing {
  const { groups, catalog, delayMs = 1_000 } = deps;
  const warned = new Map<string, string>();

  function check(name: string): void {
    const group = groups.read(name)?.group;
    const found = group ? find(group) : [];
    const all = found.join('\n');
    if (found.length > 0 && warned.get(name) !== all) warn(name, found);
    if (found.length === 0) warned.delete(name);
    else warned.set(name, all);
  }

  return followGroups(deps, delayMs, (names) => {
    if (groups.isLoaded() && catalog.isLoaded()) for (const name of names) check(name);
  });
}
