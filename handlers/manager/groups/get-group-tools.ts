import type { IRequestStrict } from 'itty-router';
import { readGroupTools as read } from '../../../lib/groups/group-tools.ts';
import { success } from '../../../lib/http/responses.ts';
import { pathParam } from '../../../lib/http/route-table.ts';
import type { GroupReadingContext } from '../context.ts';
import type { GroupToolNames } from './answers.ts';

/** `GET /api/groups/{name}/tools`: the names, with the version that a later replacement may ask for. */
export function getGroupTools(request: IRequestStrict, context: GroupReadingContext): Response {
  const { group, tools } = read(context, pathParam(request, 'name'));
  return success<GroupToolNames>({ group: group.name, tools, etag: group.etag });
}
