import type { IRequestStrict } from 'itty-router';
import type { ManagerContext } from '../../lib/context.ts';
import { readEntry } from '../../lib/groups/group-tools.ts';
import { namesOf } from '../../lib/groups/visible-tools.ts';
import { queryParam } from '../../lib/http/path-params.ts';
import { success } from '../../lib/http/responses.ts';

/** `GET /api/current`: the active group, and why its file cannot be used if that is so. */
export function currentGroup(request: IRequestStrict, context: ManagerContext): Response {
  const name = queryParam(request, 'group') ?? context.service.defaultGroup;
  const { group, problem } = readEntry(context, name);
  return success({
    group: name,
    tools: group ? namesOf(group, context.catalog) : [],
    description: group?.description ?? '',
    etag: group?.etag,
    problem,
  });
}
