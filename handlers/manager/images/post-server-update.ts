import type { IRequestStrict } from 'itty-router';
import { readOptionalJson } from '../../../lib/http/read-body.ts';
import { success } from '../../../lib/http/responses.ts';
import { pathParam } from '../../../lib/http/route-table.ts';
import { managerBodyBytes } from '../../../lib/service-info.ts';
import type { ManagerContext } from '../context.ts';
import type { CheckedUpdate } from '../servers/answers.ts';
import { answerInSteps } from './answer-in-steps.ts';
import { imageChangeAnswer, parseUpdateRequest, updateCheckAnswer } from './image-change-bodies.ts';

/**
 * `POST /api/servers/{name}/update`: makes a server from the newer image of its reference, or with `dry_run` compares the
 * tools, or with `check` only asks the registry. Clients that accept an event stream receive each step.
 */
export async function postServerUpdate(
  request: IRequestStrict,
  context: Pick<ManagerContext, 'registry' | 'service' | 'log'>,
): Promise<Response> {
  const name = pathParam(request, 'name');
  const body = await readOptionalJson(request, managerBodyBytes);
  const { isCheck, ...wanted } = parseUpdateRequest(body);
  const { registry, service } = context;
  if (isCheck) return success<CheckedUpdate>(updateCheckAnswer(name, await registry.checkUpdate(name)));
  const options = { ...wanted, allowedImages: service.allowedImages };
  return await answerInSteps(
    request,
    context,
    async (watch) => imageChangeAnswer(await registry.update(name, options, watch), 'updated'),
    200,
  );
}
