import type { IRequestStrict } from 'itty-router';
import { readOptionalJson } from '../../../lib/http/read-body.ts';
import { pathParam } from '../../../lib/http/route-table.ts';
import { managerBodyBytes } from '../../../lib/service-info.ts';
import type { ManagerContext } from '../context.ts';
import { answerInSteps } from './answer-in-steps.ts';
import { imageChangeAnswer, parseRollbackRequest } from './image-change-bodies.ts';

/** `POST /api/servers/{name}/rollback`: makes a server from its previous image, also while the registry is away. */
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
