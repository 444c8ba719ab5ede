import type { IRequestStrict } from 'itty-router';
import type { ProvisionWatch } from '../../../lib/containers/images/provision-steps.ts';
import type { ContainerState } from '../../../lib/containers/store/container-store.ts';
import { problemsOf } from '../../../lib/definitions/some-problems.ts';
import { readJson } from '../../../lib/http/read-body.ts';
import { parseProvisionRequest } from '../../../lib/registry/provisioning/provision-request.ts';
import type { Registration } from '../../../lib/registry/registry.ts';
import { managerBodyBytes } from '../../../lib/service-info.ts';
import type { ManagerContext } from '../context.ts';
import type { ProvisionedServer } from '../servers/answers.ts';
import { answerInSteps } from './answer-in-steps.ts';

/** `POST /api/servers/provision`: a server from an image. Clients that accept an event stream receive each step. */
export async function postServersProvision(
  request: IRequestStrict,
  context: Pick<ManagerContext, 'registry' | 'containers' | 'service' | 'isAdministrator' | 'log'>,
): Promise<Response> {
  const body = await readJson(request, managerBodyBytes);
  const wanted = parseProvisionRequest(body, context.service.allowedImages);

  async function run(watch: ProvisionWatch): Promise<ProvisionedServer> {
    const registration = await context.registry.provision(wanted, watch, context);
    return provisionAnswer(registration, context.containers?.status(wanted.name));
  }

  return await answerInSteps(request, context, run, 201);
}

/** The body of the 201. */
export function provisionAnswer(
  { server, warnings }: Registration,
  container: ContainerState | undefined,
): ProvisionedServer {
  const { name, tools } = server;
  const count = tools.length === 1 ? '1 tool' : `${tools.length} tools`;
  return {
    message: `Server ${name} is provisioned with ${count}.`,
    name,
    container_name: container?.name,
    container_running: container?.running ?? false,
    tool_count: tools.length,
    tools: tools.map((tool) => tool.fullName),
    warnings,
    ...problemsOf(server),
  };
}
