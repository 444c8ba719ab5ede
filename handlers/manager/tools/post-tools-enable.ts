import type { IRequestStrict } from 'itty-router';
import { readJson } from '../../../lib/http/read-body.ts';
import { check } from '../../../lib/json/check.ts';
import { managerBodyBytes } from '../../../lib/service-info.ts';
import type { ToolsContext } from '../context.ts';
import { SetToolBody } from '../groups/request-bodies.ts';
import { switchAnswer } from '../groups/switch-answer.ts';

/** `POST /api/tools/enable`. */
export function postToolsEnable(request: IRequestStrict, context: ToolsContext): Promise<Response> {
  return setTool(request, context, true);
}

/** `POST /api/tools/disable`. */
export function postToolsDisable(request: IRequestStrict, context: ToolsContext): Promise<Response> {
  return setTool(request, context, false);
}

async function setTool(request: IRequestStrict, context: ToolsContext, enabled: boolean): Promise<Response> {
  const { group, ...wanted } = check(await readJson(request, managerBodyBytes), SetToolBody);
  return switchAnswer(context, group ?? context.service.defaultGroup, { ...wanted, enabled });
}
