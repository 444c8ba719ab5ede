import { referencesIn } from '../../config/config-references.ts';
import { parseServerConfig } from '../../config/parse-server-config.ts';
import type { ServerConfig } from '../../config/server-config.ts';
import { type ProvisionWatch, provisionFailed } from '../../containers/images/provision-steps.ts';
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
import type { RegistryDependencies } from '../registry-dependencies.ts';
import { assertInputsGiven } from '../secrets/assert-inputs-given.ts';
import { freeNameLike } from './free-name.ts';
import { draftConfig, type ProvisionRequest, toConfigDocument } from './provision-request.ts';

/**
 * Makes a server out of an image's name: a registration whose server is pulled first and must not exist yet. The name
 * is taken from the first moment, so that of many who ask at once one goes on.
 */
export async function provisionServer(
  deps: RegistryDependencies,
  listInBackground: ListInBackground,
  request: ProvisionRequest,
  isAdministrator: boolean,
  watch: ProvisionWatch,
): Promise<Registration> {
  const { name } = request;
  assertFree(deps, name);
  return deps.locks.exclusive(name, () =>
    undoneOnFailure(deps, name, watch, async (told, onFailure) => {
      assertFree(deps, name);
      const draft = draftConfig(request);
      assertInputsGiven(draft);
      await deps.mounts.assertAllowed(draft.volumes);
      if (!isAdministrator) await assertMayProvision(deps, draft);
      const images = imagesOf(deps);
      await images.assertPossible();
      deps.bus.publish({ type: 'provision', name });
      const pulled = await images.pull({ image: request.image, pull: draft.pull }, told);
      const config = parseServerConfig(toConfigDocument(request, pulled.ports), deps.callTimeoutMs);
      const asker = { isAdministrator, discardData: false, warnings: warningsOf(pulled) };
      const options = { ...asker, watch: told, onFailure, onMissing: refuseMissing };
      return await registerExclusively(deps, listInBackground, config, options);
    }).finally(() => deps.bus.publish({ type: 'provision', name })),
  );
}

async function assertMayProvision(deps: RegistryDependencies, draft: ServerConfig): Promise<void> {
  // A server that is not there yet owns no secret.
  refuseReferences(referencesIn(draft), `Server \`${draft.name}\``);
  assertMayMount(draft);
  await assertMayFollow(deps, draft);
}

function assertFree(deps: RegistryDependencies, name: string): void {
  if (isTaken(deps, name)) {
    throw new Failure(
      'conflict',
      `There is a server named \`${name}\` already: choose another name, or update or delete that one.`,
      { details: { suggested_name: freeNameLike(name, (other) => isTaken(deps, other)) } },
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
