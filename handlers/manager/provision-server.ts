import type { IRequestStrict } from 'itty-router';
import { parseProvisionRequest } from '../../lib/catalog/provision-request.ts';
import type { ManagerContext } from '../../lib/context.ts';
import { Failure } from '../../lib/http/failure.ts';
import { readJson } from '../../lib/http/read-body.ts';
import { managerBodyBytes } from '../../lib/service.ts';

/** `POST /api/servers/provision`: checks the request in full; without an engine that is as far as it goes. */
export async function provisionServer(request: IRequestStrict, context: ManagerContext): Promise<Response> {
  const body = await readJson(request, managerBodyBytes);
  const { name } = parseProvisionRequest(body, context.service.allowedImages);
  if (context.catalog.server(name) || context.registry.brokenFiles().has(name)) {
    throw new Failure('conflict', `There is a server named \`${name}\` already; delete it first.`);
  }
  throw new Failure('provision_failed', 'There is no container engine to start the image with.', {
    status: 503,
    details: { step: 'engine', undone: true },
  });
}
