import type { IRequestStrict } from 'itty-router';
import { approveChange } from '../../../lib/groups/definitions/definition-change.ts';
import { readJson } from '../../../lib/http/read-body.ts';
import { success } from '../../../lib/http/responses.ts';
import { pathParam } from '../../../lib/http/route-table.ts';
import { check } from '../../../lib/json/check.ts';
import { managerBodyBytes } from '../../../lib/service-info.ts';
import type { ToolsContext } from '../context.ts';
import { ApproveBody } from '../groups/request-bodies.ts';
import type { ApprovedTool } from './answers.ts';

/** `POST /api/tools/{tool}/approve`: accepts the changed definition that the caller saw, while it is the current one. */
export async function postToolApprove(request: IRequestStrict, context: ToolsContext): Promise<Response> {
  const body = check(await readJson(request, managerBodyBytes), ApproveBody);
  const group = body.group ?? context.service.defaultGroup;
  const tool = pathParam(request, 'tool');
  await approveChange(context, group, tool, body.definition_hash);
  return success<ApprovedTool>({
    message: `The definition is approved for group \`${group}\`.`,
    group,
    tool,
    definition_hash: body.definition_hash,
  });
}
