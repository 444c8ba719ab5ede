import { namesOf } from '../visible/visible-tools.ts';
import type { GroupFollowing } from './follow-groups.ts';
import { type NameWarningDeps, warnOfNames } from './warn-of-names.ts';

const longestName = 100;

/** A slip of the pen in a file would otherwise only show as a tool that is not there. */
export function warnOfUnknownNames(deps: NameWarningDeps): GroupFollowing {
  return warnOfNames(deps, {
    message: 'a group names tools or servers that are not there',
    find: (group, catalog) => [
      ...namesOf(group, catalog).filter((name) => catalog.tool(name) === undefined),
      ...group.includedServers.filter((server) => catalog.server(server) === undefined),
    ],
    shown: (name) => name.slice(0, longestName),
  });
}
