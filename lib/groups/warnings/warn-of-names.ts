import type { Catalog } from '../../catalog/catalog.ts';
import type { Bus } from '../../events/bus.ts';
import type { Log } from '../../log.ts';
import type { Group, Groups } from '../groups.ts';
import type { KnownTools } from '../visible/visible-tools.ts';
import { followGroups, type GroupFollowing } from './follow-groups.ts';

export interface NameWarningDeps {
  readonly groups: Pick<Groups, 'names' | 'read' | 'isLoaded'>;
  readonly catalog: KnownTools & Pick<Catalog, 'isLoaded'>;
  readonly bus: Bus;
  readonly log: Log;
  /** Long enough for a server that restarts or is registered to list its tools. */
  readonly delayMs?: number;
}

export interface NameWarning {
  readonly message: string;
  /** What is wrong in a group now. */
  readonly find: (group: Group, catalog: KnownTools) => readonly string[];
  /** A name as the log shows it, bounded. */
  readonly shown: (name: string) => string;
}

const mostNames = 10;

/**
 * Says in the log which names of a group something is wrong with: once for the same ones, however often the group changes
 * otherwise; bounded, because files and names are written by anybody. Call when servers had time to list their tools.
 */
export function warnOfNames(deps: NameWarningDeps, { message, find, shown }: NameWarning): GroupFollowing {
  const { groups, catalog, log, delayMs = 1_000 } = deps;
  const warned = new Map<string, string>();

  function look(name: string): void {
    const group = groups.read(name)?.group;
    const found = group ? find(group, catalog) : [];
    const all = found.join('\n');
    if (found.length > 0 && warned.get(name) !== all) {
      const names = found.slice(0, mostNames).map(shown);
      log.warn({ group: name, names, more: found.length - names.length }, message);
    }
    if (found.length === 0) warned.delete(name);
    else warned.set(name, all);
  }

  return followGroups(deps, delayMs, (names) => {
    if (groups.isLoaded() && catalog.isLoaded()) for (const name of names) look(name);
  });
}
