import type { GroupFollowing } from './follow-groups.ts';
import type { Group } from './groups.ts';
import { type KnownTools, namesOf } from './visible-tools.ts';
import { type NameWarningDeps, warnOfNames } from './warn-of-names.ts';

const longestName = 100;

/**
 * Says in the log which names of a group no server offers: a slip of the pen in a file would otherwise only show
 * as a tool that is not there. Call when servers had time to list their tools.
 */
export function warnOfUnknownNames(deps: NameWarningDeps): GroupFollowing {
  return warnOfNames(deps, {
    message: 'a group names tools or servers that are not there',
    namesIn: unknownNames,
    shown: (name) => name.slice(0, longestName),
  });
}

function unknownNames(group: Group, catalog: KnownTools): readonly string[] {
  return [
    ...namesOf(group, catalog).filter((name) => catalog.tool(name) === undefined),
    ...group.includedServers.filter((server) => catalog.server(server) === undefined),
  ];
}
