import type { IRequestStrict } from 'itty-router';
import { replaceTools } from '../../../lib/groups/group-tools.ts';
import { readJson } from '../../../lib/http/read-body.ts';
import { success } from '../../../lib/http/responses.ts';
import { requiredVersion } from '../../../lib/http/route-table.ts';
import { check } from '../../../lib/json/check.ts';
import { managerBodyBytes } from '../../../lib/service-info.ts';
import type { ToolsContext } from '../context.ts';
import type { SavedTools } from '../groups/answers.ts';
import { ToolListBody } from '../groups/request-bodies.ts';

/** `POST /api/update`: the default group's whole list. */
export async function postUpdate(request: IRequestStrict, context: ToolsContext): Promise<Response> {
  const body = check(await readJson(request, managerBodyBytes), ToolListBody);
  const { defaultGroup } = context.service;
  const { group, tools } = await replaceTools(context, defaultGroup, body, requiredVersion(request.headers));
  return success<SavedTools>({
    message: `Group \`${defaultGroup}\` is saved.`,
    group: defaultGroup,
    tools,
    etag: group.etag,
  });
}
