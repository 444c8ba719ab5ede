import type { IRequestStrict } from 'itty-router';
import type { ManagerContext } from '../../lib/context.ts';
import { ToggleBody } from '../../lib/groups/request-bodies.ts';
import { switchAnswer } from '../../lib/groups/switch-answer.ts';
import { check } from '../../lib/http/check.ts';
import { readJson } from '../../lib/http/read-body.ts';
import { managerBodyBytes } from '../../lib/service.ts';

/** `POST /api/tools/toggle`: flips a tool, or sets it to `enabled`. */
export async function toggleTool(request: IRequestStrict, context: ManagerContext): Promise<Response> {
  const { group, ...wanted } = check(await readJson(request, managerBodyBytes), ToggleBody);
  return switchAnswer(context, group ?? context.service.defaultGroup, wanted);
}
