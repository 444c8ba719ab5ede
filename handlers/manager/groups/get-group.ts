import type { IRequestStrict } from 'itty-router';
import { readGroupTools } from '../../../lib/groups/group-tools.ts';
import { success } from '../../../lib/http/responses.ts';
import { pathParam } from '../../../lib/http/route-table.ts';
import type { GroupReadingContext } from '../context.ts';
import type { ReadGroup } from './answers.ts';

/** `GET /api/groups/{name}`: the file as it is. */
export function getGroup(request: IRequestStrict, context: GroupReadingContext): Response {
  const name = pathParam(request, 'name');
  const { group } = readGroupTools(context, name);
  return success<ReadGroup>({
    group: group.document,
    etag: group.etag,
    problem: context.groups.read(name)?.problem,
    read_only: group.isReadOnly ? true : undefined,
  });
}
