import type { Catalog } from '../../catalog/catalog.ts';
import type { FeatureCatalog } from '../../catalog/features.ts';
import type { Bus } from '../../events/bus.ts';
import type { Log } from '../../log.ts';
import type { Groups } from '../groups.ts';
import type { FormerServers } from '../names/former-servers.ts';
import { resourceWarnings } from '../visible/resource-warnings.ts';
import { entryScope, type KnownServers } from '../visible/visible-features.ts';
import { followGroups, type GroupFollowing } from './follow-groups.ts';

/** Says in the log which entries of a group's `included_resources` are not clear, once for the same ones. */
export interface ResourceWarningDeps {
  readonly groups: Pick<Groups, 'names' | 'read' | 'isLoaded'>;
  readonly catalog: KnownServers & Pick<Catalog, 'isLoaded'>;
  readonly features: Pick<FeatureCatalog, 'of'>;
  readonly formerServers?: FormerServers;
  readonly bus: Bus;
  readonly log: Log;
  /** Long enough for a server that restarts or is registered to list what it has. */
  readonly delayMs?: number;
}

/** Call when servers had time to list their resources. */
export function warnOfResources(deps: ResourceWarningDeps): GroupFollowing {
  const { groups, catalog, features, formerServers, log, delayMs = 1_000 } = deps;
  const warned = new Map<string, string>();

  function look(name: string): void {
    const group = groups.read(name)?.group;
    const scope = group && entryScope(group, catalog, features, formerServers);
    const warnings = group && scope ? resourceWarnings(group, scope) : [];
    const line = warnings.join('\n');
    if (line !== '' && warned.get(name) !== line) {
      log.warn({ group: name, warnings }, 'resources that a group lists are not clear');
    }
    if (line === '') warned.delete(name);
    else warned.set(name, line);
  }

  return followGroups(deps, delayMs, (names) => {
    if (groups.isLoaded() && catalog.isLoaded()) for (const name of names) look(name);
  });
}
