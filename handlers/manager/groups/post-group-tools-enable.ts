import type { IRequestStrict } from 'itty-router';
import { pathParam } from '../../../lib/http/path-params.ts';
import { readJson } from '../../../lib/http/read-body.ts';
import { check } from '../../../lib/json/check.ts';
import { managerBodyBytes } from '../../../lib/service-info.ts';
import type { ToolsContext } from '../context.ts';
import { GroupToolBody } from './request-bodies.ts';
import { switchAnswer } from './switch-answer.ts';

/** `POST /api/groups/{name}/tools/enable`. */
export function postGroupToolsEnable(request: IRequestStrict, context: ToolsContext): Promise<Response> {
  return setGroupTool(request, context, true);
}

/** `POST /api/groups/{name}/tools/disable`. */
export function postGroupToolsDisable(request: IRequestStrict, context: ToolsContext): Promise<Response> {
  return setGroupTool(request, context, false);
}

async function setGroupTool(
  request: IRequestStrict,
  context: ToolsContext,
  enabled: boolean,
): Promise<Response> {
  const wanted = check(await readJson(request, managerBodyBytes), GroupToolBody);
  return switchAnswer(context, pathParam(request, 'name'), { ...wanted, enabled });
}
