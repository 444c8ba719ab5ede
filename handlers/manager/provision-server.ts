import type { IRequestStrict } from 'itty-router';
import { provisionAnswer, streamProvision } from '../../lib/catalog/provision-answers.ts';
import { parseProvisionRequest } from '../../lib/catalog/provision-request.ts';
import type { ProvisionWatch } from '../../lib/containers/provision-steps.ts';
import type { ManagerContext } from '../../lib/context.ts';
import { failureBody } from '../../lib/http/failure-response.ts';
import { readJson } from '../../lib/http/read-body.ts';
import { reportFailure } from '../../lib/http/report-failure.ts';
import { eventStreamResponse, success } from '../../lib/http/responses.ts';
import { readAccept } from '../../lib/mcp/accept.ts';
import { managerBodyBytes } from '../../lib/service.ts';

/** `POST /api/servers/provision`: a server from an image; for those who accept an event stream, step by step. */
export async function provisionServer(request: IRequestStrict, context: ManagerContext): Promise<Response> {
  const body = await readJson(request, managerBodyBytes);
  const wanted = parseProvisionRequest(body, context.service.allowedImages);
  const { signal } = request;

  async function run(watch: ProvisionWatch): Promise<Record<string, unknown>> {
    const registration = await context.registry.provision(wanted, watch, context);
    return provisionAnswer(registration, context.containers?.status(wanted.name));
  }

  if (!readAccept(request.headers.get('accept')).eventStream) {
    return success(await run({ signal, onStep() {} }), 201);
  }
  const failed = (error: unknown) => {
    const { failure, requestId } = reportFailure(error, context.log);
    return failureBody(failure, requestId);
  };
  const done = async (watch: ProvisionWatch) => ({ success: true, ...(await run(watch)) });
  return eventStreamResponse(await streamProvision({ run: done, failed, signal }));
}
