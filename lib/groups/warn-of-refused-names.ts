import { isProviderName } from '../catalog/provider-names.ts';
import { quotedName } from '../catalog/shown-names.ts';
import type { GroupFollowing } from './follow-groups.ts';
import { visibleTools } from './visible-tools.ts';
import { type NameWarningDeps, warnOfNames } from './warn-of-names.ts';

/**
 * Says in the log which names that agents of a group see are refused by model providers. Call when servers had time to list
 * their tools.
 */
export function warnOfRefusedNames(deps: NameWarningDeps): GroupFollowing {
  return warnOfNames(deps, {
    message:
      'model providers refuse names of tools that agents of a group see; *Rename* on the page gives them others',
    namesIn: (group, catalog) =>
      [...visibleTools(group, catalog).keys()].filter((name) => !isProviderName(name)),
    shown: quotedName,
  });
}
