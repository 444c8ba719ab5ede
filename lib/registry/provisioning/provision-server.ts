import { parseServerConfig } from '../../config/parse-server-config.ts';
import { referencesIn } from '../../config/references.ts';
import type { ServerConfig } from '../../config/server-config.ts';
import { type ProvisionWatch, provisionFailed } from '../../containers/images/provision-steps.ts';
import { Failure } from '../../failure.ts';
import type { ListInBackground } from '../reconcile/list-in-background.ts';
import type { NameTaken } from '../registration/name-taken.ts';
import { registerExclusively, undoneOnFailure } from '../registration/register-server.ts';
import {
  assertMayFollow,
  assertMayMount,
  freeNameLike,
  isTaken,
  refuseReferences,
} from '../registration/registration-rights.ts';
import { warningsOf } from '../registration/start-server.ts';
import type { Registration } from '../registry.ts';
import { containersOf, type RegistryDependencies } from '../registry-dependencies.ts';
import { assertInputsGiven } from '../secrets/registered-secrets.ts';
import { draftConfig, type ProvisionRequest, toConfigDocument } from './provision-request.ts';

/**
 * Creates a server from an image's name: a registration whose image is pulled first and whose server must not exist
 * yet. The name is locked from the start, so that of concurrent requests only one proceeds.
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
    undoneOnFailure(deps, name, watch, async (stepWatch, onFailure) => {
      assertFree(deps, name);
      const draft = draftConfig(request);
      assertInputsGiven(draft);
      await deps.mounts.assertAllowed(draft.volumes);
      if (!isAdministrator) await assertMayProvision(deps, draft);
      const { images } = containersOf(deps);
      await images.assertPossible();
      deps.bus.publish({ type: 'provision', name });
      const pulled = await images.pull({ image: request.image, pull: draft.pull }, stepWatch);
      const config = parseServerConfig(toConfigDocument(request, pulled.ports), deps.callTimeoutMs);
      const rights = { isAdministrator, discardData: request.discard_data === true };
      const watched = { watch: stepWatch, onFailure, onMissing: refuseMissing };
      const options = { ...rights, ...watched, warnings: warningsOf(pulled) };
      return await registerExclusively(deps, listInBackground, config, options);
    }).finally(() => deps.bus.publish({ type: 'provision', name })),
  );
}

async function assertMayProvision(
  deps: Pick<RegistryDependencies, 'groups' | 'catalog' | 'removed'>,
  draft: ServerConfig,
): Promise<void> {
  // A new server owns no secret.
  refuseReferences(referencesIn(draft), `Server \`${draft.name}\``);
  assertMayMount(draft);
  await assertMayFollow(deps, draft);
}

function assertFree(deps: Pick<RegistryDependencies, 'known' | 'catalog'>, name: string): void {
  if (isTaken(deps, name)) {
    const details: NameTaken = { suggested_name: freeNameLike(name, (other) => isTaken(deps, other)) };
    throw new Failure(
      'conflict',
      `There is a server named \`${name}\` already: choose another name, or update or delete that one.`,
      { details },
    );
  }
}

/** A provisioned server must answer; a config that waits for its variables can be registered instead. */
function refuseMissing(missing: readonly string[]): void {
  const names = missing.map((name) => `\`${name}\``).join(', ');
  throw provisionFailed('start', `The secrets method has no value for ${names}.`, {
    status: 422,
    missingVariables: missing,
  });
}
