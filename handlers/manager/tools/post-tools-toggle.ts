import type { IRequestStrict } from 'itty-router';
import { readJson } from '../../../lib/http/read-body.ts';
import { check } from '../../../lib/json/check.ts';
import { managerBodyBytes } from '../../../lib/service-info.ts';
import type { ToolsContext } from '../context.ts';
import { ToggleBody } from '../groups/request-bodies.ts';
import { switchAnswer } from '../groups/switch-answer.ts';

/** `POST /api/tools/toggle`: flips a tool, or sets it to `enabled`. */
export async function postToolsToggle(request: IRequestStrict, context: ToolsContext): Promise<Response> {
  const { group, ...wanted } = check(await readJson(request, managerBodyBytes), ToggleBody);
  return switchAnswer(context, group ?? context.service.defaultGroup, wanted);
}
