import type { IRequestStrict } from 'itty-router';
import { describeGroup as describe } from '../../../lib/groups/group-tools.ts';
import { readJson } from '../../../lib/http/read-body.ts';
import { success } from '../../../lib/http/responses.ts';
import { pathParam, requiredVersion } from '../../../lib/http/route-table.ts';
import { check } from '../../../lib/json/check.ts';
import { managerBodyBytes } from '../../../lib/service-info.ts';
import type { ToolsContext } from '../context.ts';
import type { SavedGroup } from './answers.ts';
import { DescribeGroupBody } from './request-bodies.ts';

/** `PUT /api/groups/{name}`: sets the group's description, on condition of `If-Match` when that is sent. */
export async function putGroup(request: IRequestStrict, context: ToolsContext): Promise<Response> {
  const name = pathParam(request, 'name');
  const { description } = check(await readJson(request, managerBodyBytes), DescribeGroupBody);
  const group = await describe(context, name, description, requiredVersion(request.headers));
  return success<SavedGroup>({
    message: `Group \`${name}\` is described.`,
    group: group.document,
    etag: group.etag,
  });
}
