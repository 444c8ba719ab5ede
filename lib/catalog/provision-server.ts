import { provisionFailed } from '../containers/provision-failures.ts';
import type { ProvisionWatch } from '../containers/provision-steps.ts';
import { Failure } from '../http/failure.ts';
import { referencedNames } from '../secrets/references.ts';
import type { ListInBackground } from './list-in-background.ts';
import { parseServerConfig } from './parse-server-config.ts';
import { pinImage } from './pin-image.ts';
import { imagesOf } from './prepare-server.ts';
import { type ProvisionRequest, toConfigDocument } from './provision-request.ts';
import { registerExclusively, undoneOnFailure } from './register-server.ts';
import { assertMayFollow, isTaken, refuseReferences } from './registration-rights.ts';
import type { Registration } from './registry.ts';
import type { RegistryParts } from './registry-parts.ts';

/**
 * Makes a server out of an image's name: a registration whose server is pulled first and must not exist yet. The name
 * is taken from the first moment, so that of many who ask at once one goes on.
 */
export async function provisionServer(
  parts: RegistryParts,
  listInBackground: ListInBackground,
  request: ProvisionRequest,
  isAdministrator: boolean,
  watch: ProvisionWatch,
): Promise<Registration> {
  const { name } = request;
  assertFree(parts, name);
  return parts.locks.exclusive(name, () =>
    undoneOnFailure(parts, name, watch, async (told, onFailure) => {
      assertFree(parts, name);
      if (!isAdministrator) await assertMayProvision(parts, request);
      const images = imagesOf(parts);
      await images.assertPossible();
      parts.bus.publish({ type: 'provision', name });
      const { id, ports } = await images.pull({ image: request.image, pull: 'always' }, told);
      const config = parseServerConfig(toConfigDocument(request, ports), parts.callTimeoutMs);
      const options = { isAdministrator, watch: told, onFailure, onMissing: refuseMissing };
      const registration = await registerExclusively(parts, listInBackground, config, options);
      await pinImage(parts, name, request.image, id);
      return registration;
    }).finally(() => parts.bus.publish({ type: 'provision', name })),
  );
}

async function assertMayProvision(parts: RegistryParts, request: ProvisionRequest): Promise<void> {
  const { name, image, command = [], env_vars = {} } = request;
  // A server that is not there yet owns no secret.
  refuseReferences(referencedNames([...command, ...Object.values(env_vars)]), `Server \`${name}\``);
  await assertMayFollow(parts, {
    ...{ name, image, args: command, entrypoint: undefined, command: undefined, url: undefined },
  });
}

function assertFree(parts: RegistryParts, name: string): void {
  if (isTaken(parts, name)) {
    throw new Failure('conflict', `There is a server named \`${name}\` already; delete it first.`);
  }
}

/** Whoever provisions wants a server that answers; a config that waits for its variables is registered instead. */
function refuseMissing(missing: readonly string[]): void {
  const names = missing.map((name) => `\`${name}\``).join(', ');
  throw provisionFailed('start', `The secrets method has no value for ${names}.`, {
    status: 422,
    missingVariables: missing,
  });
}
