import type { IRequestStrict } from 'itty-router';
import { readEntry } from '../../../lib/groups/group-tools.ts';
import { resourceWarnings } from '../../../lib/groups/visible/resource-warnings.ts';
import { entryScope } from '../../../lib/groups/visible/visible-features.ts';
import { namesOf } from '../../../lib/groups/visible/visible-tools.ts';
import { success } from '../../../lib/http/responses.ts';
import { queryParam } from '../../../lib/http/route-table.ts';
import type { ManagerContext } from '../context.ts';
import type { CurrentGroup } from './answers.ts';

/**
 * `GET /api/current`: the default group or `?group=`, the problem of its file, and warnings: about the folder of config
 * files, then about the group's resources.
 */
export function getCurrentGroup(
  request: IRequestStrict,
  context: Pick<ManagerContext, 'groups' | 'catalog' | 'service' | 'features' | 'formerServers' | 'registry'>,
): Response {
  const name = queryParam(request, 'group') ?? context.service.defaultGroup;
  const { group, problem } = readEntry(context, name);
  const { catalog, features, formerServers } = context;
  const ofGroup = group ? resourceWarnings(group, entryScope(group, catalog, features, formerServers)) : [];
  const ofFolder = context.registry.folderProblem();
  const warnings = [...(ofFolder === undefined ? [] : [ofFolder]), ...ofGroup];
  return success<CurrentGroup>({
    group: name,
    tools: group ? namesOf(group, catalog) : [],
    description: group?.description ?? '',
    etag: group?.etag,
    problem,
    read_only: group?.isReadOnly ? true : undefined,
    warnings: warnings.length > 0 ? warnings : undefined,
  });
}
