import type { IRequestStrict } from 'itty-router';
import { assertImageAllowed } from '../../lib/catalog/image-reference.ts';
import { parseServerConfig } from '../../lib/catalog/parse-server-config.ts';
import { registrationAnswer, splitDryRun } from '../../lib/catalog/registration-body.ts';
import type { ManagerContext } from '../../lib/context.ts';
import { Failure } from '../../lib/http/failure.ts';
import { readJson } from '../../lib/http/read-body.ts';
import { success } from '../../lib/http/responses.ts';
import { managerBodyBytes } from '../../lib/service.ts';

/** `POST /api/servers`: registers a config, or with `dry_run` says what registering it would change. */
export async function registerServer(request: IRequestStrict, context: ManagerContext): Promise<Response> {
  const { document, dryRun } = splitDryRun(await readJson(request, managerBodyBytes));
  const { command, image } = parseServerConfig(document);
  if (command !== undefined && image === undefined && !context.isAdministrator) {
    throw new Failure(
      'command_needs_admin',
      'A `command` runs a program on this host: register it with the `gateway` command line or the admin token.',
    );
  }
  if (image !== undefined) assertImageAllowed(image, context.service.allowedImages);
  const registration = await context.registry.register(document, { dryRun, signal: request.signal });
  const isNew = registration.outcome === 'registered' && !dryRun;
  return success(registrationAnswer(registration, dryRun), isNew ? 201 : 200);
}
