import type { IRequestStrict } from 'itty-router';
import { createGroup as create } from '../../../lib/groups/group-tools.ts';
import { readJson } from '../../../lib/http/read-body.ts';
import { success } from '../../../lib/http/responses.ts';
import { pathParam } from '../../../lib/http/route-table.ts';
import { check } from '../../../lib/json/check.ts';
import { managerBodyBytes } from '../../../lib/service-info.ts';
import type { ToolsContext } from '../context.ts';
import type { SavedGroup } from './answers.ts';
import { CreateGroupBody } from './request-bodies.ts';

/** `POST /api/groups/{name}`: writes a new group file. */
export async function postGroup(request: IRequestStrict, context: ToolsContext): Promise<Response> {
  const content = check(await readJson(request, managerBodyBytes), CreateGroupBody);
  const group = await create(context, pathParam(request, 'name'), content);
  return success<SavedGroup>(
    { message: `Group \`${group.name}\` is created.`, group: group.document, etag: group.etag },
    201,
  );
}
