import { isProviderName } from '../../names/provider-names.ts';
import { quotedName } from '../../names/shown-names.ts';
import { visibleTools } from '../visible/visible-tools.ts';
import type { GroupFollowing } from './follow-groups.ts';
import { type NameWarningDeps, warnOfNames } from './warn-of-names.ts';

/** One name that a model provider refuses makes requests fail that have tools of other servers in them, too. */
export function warnOfRefusedNames(deps: NameWarningDeps): GroupFollowing {
  return warnOfNames(deps, {
    message:
      'model providers refuse names of tools that agents of a group see; *Rename* on the page gives them others',
    find: (group, catalog) =>
      [...visibleTools(group, catalog).keys()].filter((name) => !isProviderName(name)),
    shown: quotedName,
  });
}
