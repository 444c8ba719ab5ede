import type { IRequestStrict } from 'itty-router';
import { pathParam } from '../../../lib/http/path-params.ts';
import { readJson } from '../../../lib/http/read-body.ts';
import { check } from '../../../lib/json/check.ts';
import { managerBodyBytes } from '../../../lib/service-info.ts';
import type { ToolsContext } from '../context.ts';
import { GroupToggleBody } from './request-bodies.ts';
import { switchAnswer } from './switch-answer.ts';

/** `POST /api/groups/{name}/tools/toggle`. */
export async function postGroupToolsToggle(
  request: IRequestStrict,
  context: ToolsContext,
): Promise<Response> {
  const wanted = check(await readJson(request, managerBodyBytes), GroupToggleBody);
  return switchAnswer(context, pathParam(request, 'name'), wanted);
}
