import type { IRequestStrict } from 'itty-router';
import { answerInSteps } from '../../lib/catalog/answer-in-steps.ts';
import { provisionAnswer } from '../../lib/catalog/provision-answers.ts';
import { parseProvisionRequest } from '../../lib/catalog/provision-request.ts';
import type { ProvisionWatch } from '../../lib/containers/provision-steps.ts';
import type { ManagerContext } from '../../lib/context.ts';
import { readJson } from '../../lib/http/read-body.ts';
import { managerBodyBytes } from '../../lib/service.ts';

/** `POST /api/servers/provision`: a server from an image; for those who accept an event stream, step by step. */
export async function provisionServer(request: IRequestStrict, context: ManagerContext): Promise<Response> {
  const body = await readJson(request, managerBodyBytes);
  const wanted = parseProvisionRequest(body, context.service.allowedImages);

  async function run(watch: ProvisionWatch): Promise<Record<string, unknown>> {
    const registration = await context.registry.provision(wanted, watch, context);
    return provisionAnswer(registration, context.containers?.status(wanted.name));
  }

  return await answerInSteps(request, context, run, 201);
}
