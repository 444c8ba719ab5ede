import type { IRequestStrict } from 'itty-router';
import { assertUpstreamAllowed } from '../../../lib/config/allowed-upstreams.ts';
import { assertImageAllowed } from '../../../lib/config/image-reference.ts';
import { parseServerConfig } from '../../../lib/config/parse-server-config.ts';
import { Failure } from '../../../lib/failure.ts';
import { readJson } from '../../../lib/http/read-body.ts';
import { success } from '../../../lib/http/responses.ts';
import { managerBodyBytes } from '../../../lib/service-info.ts';
import type { ManagerContext } from '../context.ts';
import type { RegisteredServer } from './answers.ts';
import { registrationAnswer, splitOptions } from './registration-body.ts';

/**
 * `POST /api/servers`: registers a config, or with `dry_run` previews its effects. With `replace` an existing server of
 * its name is replaced.
 */
export async function postServers(
  request: IRequestStrict,
  context: Pick<ManagerContext, 'registry' | 'service' | 'isAdministrator'>,
): Promise<Response> {
  const { document, dryRun, replace, discardData } = splitOptions(await readJson(request, managerBodyBytes));
  const { command, image, url } = parseServerConfig(document);
  if (command !== undefined && image === undefined && !context.isAdministrator) {
    throw new Failure(
      'command_needs_admin',
      'A `command` runs a program on this host: register it with the `svc-mcp` command line or the admin token.',
    );
  }
  if (image !== undefined) assertImageAllowed(image, context.service.allowedImages);
  if (url !== undefined) assertUpstreamAllowed(url, context.service.allowedUpstreams);
  const { isAdministrator } = context;
  const options = { dryRun, replace, discardData, isAdministrator, signal: request.signal };
  const registration = await context.registry.register(document, options);
  const isNew = registration.outcome === 'registered' && !dryRun;
  return success<RegisteredServer>(registrationAnswer(registration, dryRun), isNew ? 201 : 200);
}
