import type { IRequestStrict } from 'itty-router';
import { renameGroup as rename } from '../../../lib/groups/group-tools.ts';
import { readJson } from '../../../lib/http/read-body.ts';
import { success } from '../../../lib/http/responses.ts';
import { pathParam, requiredVersion } from '../../../lib/http/route-table.ts';
import { check } from '../../../lib/json/check.ts';
import { managerBodyBytes } from '../../../lib/service-info.ts';
import type { ToolsContext } from '../context.ts';
import type { SavedGroup } from './answers.ts';
import { RenameGroupBody } from './request-bodies.ts';

/** `POST /api/groups/{name}/rename`: gives the group another name, on condition of `If-Match` when that is sent. */
export async function postGroupRename(request: IRequestStrict, context: ToolsContext): Promise<Response> {
  const name = pathParam(request, 'name');
  const body = check(await readJson(request, managerBodyBytes), RenameGroupBody);
  const group = await rename(context, name, body.name, requiredVersion(request.headers));
  return success<SavedGroup>({
    message: `Group \`${name}\` is called \`${group.name}\` now; agents need its new address.`,
    group: group.document,
    etag: group.etag,
  });
}
