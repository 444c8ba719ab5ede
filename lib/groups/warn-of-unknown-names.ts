import type { Catalog } from '../catalog/catalog.ts';
import type { Bus } from '../events/bus.ts';
import type { Log } from '../observe/log.ts';
import { followGroups, type GroupFollowing } from './follow-groups.ts';
import type { Group, Groups } from './groups.ts';
import { type KnownTools, namesOf } from './visible-tools.ts';

/**
 * Says in the log which names of a group no server offers: a slip of the pen in a file would otherwise only show
 * as a tool that is not there. Once for the same names, however often the group changes otherwise; bounded,
 * because files are written by anybody.
 */
export interface UnknownNamesDeps {
  readonly groups: Pick<Groups, 'names' | 'read' | 'isLoaded'>;
  readonly catalog: KnownTools & Pick<Catalog, 'isLoaded'>;
  readonly bus: Bus;
  readonly log: Log;
  /** Long enough for a server that restarts or is registered to list its tools. */
  readonly delayMs?: number;
}

const mostNames = 10;
const longestName = 100;

/** Call when servers had time to list their tools. */
export function warnOfUnknownNames(deps: UnknownNamesDeps): GroupFollowing {
  const { groups, catalog, log, delayMs = 1_000 } = deps;
  const warned = new Map<string, string>();

  function look(name: string): void {
    const group = groups.read(name)?.group;
    const unknown = group ? unknownNames(group, catalog) : [];
    const names = unknown.slice(0, mostNames).map((one) => one.slice(0, longestName));
    const facts = { names, more: unknown.length - names.length };
    const line = JSON.stringify(facts);
    if (unknown.length === 0) warned.delete(name);
    else if (warned.get(name) !== line) {
      warned.set(name, line);
      log.warn({ group: name, ...facts }, 'a group names tools or servers that are not there');
    }
  }

  return followGroups(deps, delayMs, (names) => {
    if (groups.isLoaded() && catalog.isLoaded()) for (const name of names) look(name);
  });
}

function unknownNames(group: Group, catalog: KnownTools): readonly string[] {
  return [
    ...namesOf(group, catalog).filter((name) => catalog.tool(name) === undefined),
    ...group.includedServers.filter((server) => catalog.server(server) === undefined),
  ];
}
