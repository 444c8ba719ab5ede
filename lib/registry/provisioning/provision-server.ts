import { referencesIn } from '../../config/config-references.ts';
import { parseServerConfig } from '../../config/parse-server-config.ts';
import type { ServerConfig } from '../../config/server-config.ts';
import { provisionFailed } from '../../containers/images/provision-failures.ts';
import type { ProvisionWatch } from '../../containers/images/provision-steps.ts';
import { Failure } from '../../failure.ts';
import type { ListInBackground } from '../reconcile/list-in-background.ts';
import { imagesOf, warningsOf } from '../registration/prepare-server.ts';
import { registerExclusively, undoneOnFailure } from '../registration/register-server.ts';
import {
  assertMayFollow,
  assertMayMount,
  isTaken,
  refuseReferences,
} from '../registration/registration-rights.ts';
import type { Registration } from '../registry.ts';
import type { RegistryParts } from '../registry-parts.ts';
import { assertInputsGiven } from '../secrets/assert-inputs-given.ts';
import { freeNameLike } from './free-name.ts';
import { draftConfig, type ProvisionRequest, toConfigDocument } from './provision-request.ts';

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
      const draft = draftConfig(request);
      assertInputsGiven(draft);
      await parts.mounts.assertAllowed(draft.volumes);
      if (!isAdministrator) await assertMayProvision(parts, draft);
      const images = imagesOf(parts);
      await images.assertPossible();
      parts.bus.publish({ type: 'provision', name });
      const pulled = await images.pull({ image: request.image, pull: draft.pull }, told);
      const config = parseServerConfig(toConfigDocument(request, pulled.ports), parts.callTimeoutMs);
      const asker = { isAdministrator, discardData: false, warnings: warningsOf(pulled) };
      const options = { ...asker, watch: told, onFailure, onMissing: refuseMissing };
      return await registerExclusively(parts, listInBackground, config, options);
    }).finally(() => parts.bus.publish({ type: 'provision', name })),
  );
}

async function assertMayProvision(parts: RegistryParts, draft: ServerConfig): Promise<void> {
  // A server that is not there yet owns no secret.
  refuseReferences(referencesIn(draft), `Server \`${draft.name}\``);
  assertMayMount(draft);
  await assertMayFollow(parts, draft);
}

function assertFree(parts: RegistryParts, name: string): void {
  if (isTaken(parts, name)) {
    throw new Failure(
      'conflict',
      `There is a server named \`${name}\` already: choose another name, or update or delete that one.`,
      { details: { suggested_name: freeNameLike(name, (other) => isTaken(parts, other)) } },
    );
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
