import type { IRequestStrict } from 'itty-router';
import type { ProvisionWatch } from '../../../lib/containers/images/provision-steps.ts';
import { readJson } from '../../../lib/http/read-body.ts';
import { parseProvisionRequest } from '../../../lib/registry/provisioning/provision-request.ts';
import { managerBodyBytes } from '../../../lib/service-info.ts';
import type { ManagerContext } from '../context.ts';
import { answerInSteps } from './answer-in-steps.ts';
import { provisionAnswer } from './provision-answers.ts';

/** `POST /api/servers/provision`: a server from an image; for those who accept an event stream, step by step. */
export async function postServersProvision(
  request: IRequestStrict,
  context: Pick<ManagerContext, 'registry' | 'containers' | 'service' | 'isAdministrator' | 'log'>,
): Promise<Response> {
  const body = await readJson(request, managerBodyBytes);
  const wanted = parseProvisionRequest(body, context.service.allowedImages);

  async function run(watch: ProvisionWatch): Promise<Record<string, unknown>> {
    const registration = await context.registry.provision(wanted, watch, context);
    return provisionAnswer(registration, context.containers?.status(wanted.name));
  }

  return await answerInSteps(request, context, run, 201);
}
