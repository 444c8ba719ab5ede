import type { IRequestStrict } from 'itty-router';
import type { ManagerContext } from '../../lib/context.ts';
import { describeGroup as describe } from '../../lib/groups/group-tools.ts';
import { DescribeGroupBody } from '../../lib/groups/request-bodies.ts';
import { check } from '../../lib/http/check.ts';
import { pathParam } from '../../lib/http/path-params.ts';
import { readJson } from '../../lib/http/read-body.ts';
import { requiredVersion } from '../../lib/http/required-version.ts';
import { success } from '../../lib/http/responses.ts';
import { managerBodyBytes } from '../../lib/service.ts';

/** `PUT /api/groups/{name}`: says what the group is for, on condition of `If-Match` when that is sent. */
export async function describeGroup(request: IRequestStrict, context: ManagerContext): Promise<Response> {
  const name = pathParam(request, 'name');
  const { description } = check(await readJson(request, managerBodyBytes), DescribeGroupBody);
  const group = await describe(context, name, description, requiredVersion(request.headers));
  return success({ message: `Group \`${name}\` is described.`, group: group.document, etag: group.etag });
}
