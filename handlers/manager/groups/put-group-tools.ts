import type { IRequestStrict } from 'itty-router';
import { replaceTools } from '../../../lib/groups/group-tools.ts';
import { readJson } from '../../../lib/http/read-body.ts';
import { success } from '../../../lib/http/responses.ts';
import { pathParam, requiredVersion } from '../../../lib/http/route-table.ts';
import { check } from '../../../lib/json/check.ts';
import { managerBodyBytes } from '../../../lib/service-info.ts';
import type { ToolsContext } from '../context.ts';
import type { SavedTools } from './answers.ts';
import { ToolListBody } from './request-bodies.ts';

/** `POST` or `PUT /api/groups/{name}/tools`: the whole list, on condition of `If-Match` when that is sent. */
export async function putGroupTools(request: IRequestStrict, context: ToolsContext): Promise<Response> {
  const name = pathParam(request, 'name');
  const body = check(await readJson(request, managerBodyBytes), ToolListBody);
  const { group, tools } = await replaceTools(context, name, body, requiredVersion(request.headers));
  return success<SavedTools>({
    message: `Group \`${name}\` is saved.`,
    group: name,
    tools,
    etag: group.etag,
  });
}
