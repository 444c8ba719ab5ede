import type { IRequestStrict } from 'itty-router';
import type { ManagerContext } from '../../lib/context.ts';
import { GroupToggleBody } from '../../lib/groups/request-bodies.ts';
import { switchAnswer } from '../../lib/groups/switch-answer.ts';
import { check } from '../../lib/http/check.ts';
import { pathParam } from '../../lib/http/path-params.ts';
import { readJson } from '../../lib/http/read-body.ts';
import { managerBodyBytes } from '../../lib/service.ts';

/** `POST /api/groups/{name}/tools/toggle`. */
export async function toggleGroupTool(request: IRequestStrict, context: ManagerContext): Promise<Response> {
  const wanted = check(await readJson(request, managerBodyBytes), GroupToggleBody);
  return switchAnswer(context, pathParam(request, 'name'), wanted);
}
