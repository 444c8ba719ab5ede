import type { Catalog } from '../catalog/catalog.ts';
import { isProviderName } from '../catalog/provider-names.ts';
import { quotedName } from '../catalog/shown-names.ts';
import type { Bus } from '../events/bus.ts';
import type { Log } from '../observe/log.ts';
import { followGroups, type GroupFollowing } from './follow-groups.ts';
import type { Group, Groups } from './groups.ts';
import { type KnownTools, visibleTools } from './visible-tools.ts';

/** Says in the log which names that agents of a group see are refused by model providers, once for the same ones. */
export interface RefusedNamesDeps {
  readonly groups: Pick<Groups, 'names' | 'read' | 'isLoaded'>;
  readonly catalog: KnownTools & Pick<Catalog, 'isLoaded'>;
  readonly bus: Bus;
  readonly log: Log;
  /** Long enough for a server that restarts or is registered to list its tools. */
  readonly delayMs?: number;
}

const mostNames = 10;

/** Call when servers had time to list their tools. */
export function warnOfRefusedNames(deps: RefusedNamesDeps): GroupFollowing {
  const { groups, catalog, log, delayMs = 1_000 } = deps;
  const warned = new Map<string, string>();

  function look(name: string): void {
    const group = groups.read(name)?.group;
    const refused = group ? refusedNames(group, catalog) : [];
    const all = refused.join('\n');
    if (refused.length > 0 && warned.get(name) !== all) {
      const names = refused.slice(0, mostNames).map(quotedName);
      log.warn(
        { group: name, names, more: refused.length - names.length },
        'model providers refuse names of tools that agents of a group see; *Rename* on the page gives them others',
      );
    }
    if (refused.length === 0) warned.delete(name);
    else warned.set(name, all);
  }

  return followGroups(deps, delayMs, (names) => {
    if (groups.isLoaded() && catalog.isLoaded()) for (const name of names) look(name);
  });
}

function refusedNames(group: Group, catalog: KnownTools): readonly string[] {
  return [...visibleTools(group, catalog).keys()].filter((name) => !isProviderName(name));
}
