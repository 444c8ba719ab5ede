import type { IRequestStrict } from 'itty-router';
import { answerInSteps } from '../../lib/catalog/answer-in-steps.ts';
import { imageChangeAnswer } from '../../lib/catalog/image-change.ts';
import { parseRollbackRequest } from '../../lib/catalog/image-change-request.ts';
import type { ManagerContext } from '../../lib/context.ts';
import { pathParam } from '../../lib/http/path-params.ts';
import { readOptionalJson } from '../../lib/http/read-optional-json.ts';
import { managerBodyBytes } from '../../lib/service.ts';

/** `POST /api/servers/{name}/rollback`: makes a server from the image before; works while its registry is away. */
export async function rollbackServer(request: IRequestStrict, context: ManagerContext): Promise<Response> {
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
