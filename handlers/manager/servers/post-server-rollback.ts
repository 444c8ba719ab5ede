import type { IRequestStrict } from 'itty-router';
import { pathParam } from '../../../lib/http/path-params.ts';
import { readOptionalJson } from '../../../lib/http/read-optional-json.ts';
import { imageChangeAnswer } from '../../../lib/registry/provisioning/image-change.ts';
import { managerBodyBytes } from '../../../lib/service-info.ts';
import type { ManagerContext } from '../context.ts';
import { answerInSteps } from './answer-in-steps.ts';
import { parseRollbackRequest } from './image-change-request.ts';

/** `POST /api/servers/{name}/rollback`: makes a server from the image before; works while its registry is away. */
export async function postServerRollback(
  request: IRequestStrict,
  context: Pick<ManagerContext, 'registry' | 'service' | 'log'>,
): Promise<Response> {
  const name = pathParam(request, 'name');
  const wanted = parseRollbackRequest(await readOptionalJson(request, managerBodyBytes));
  const options = { ...wanted, allowedImages: context.service.allowedImages };
  return await answerInSteps(
    request,
    context,
    async (watch) => imageChangeAnswer(await context.registry.rollBack(name, options, watch), 'rolled back'),
    200,
  );
}
