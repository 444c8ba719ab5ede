import { parseServerConfig } from '../../config/parse-server-config.ts';
import type { ProvisionWatch } from '../../containers/images/provision-steps.ts';
import { assertNothingLost, candidateOf, fitOf } from '../provisioning/container-plan.ts';
import type { Registration } from '../registry.ts';
import type { RegistryParts } from '../registry-parts.ts';
import { assertInputsGiven } from '../secrets/assert-inputs-given.ts';
import { moveToSecrets } from '../secrets/registered-secrets.ts';
import { prepareServer, pullFor } from './prepare-server.ts';
import { describeRegistration, previewServer } from './registration.ts';
import { outcomeOf } from './registration-outcome.ts';
import { type Asker, assertMayRegister } from './registration-rights.ts';
import { storable } from './store-tools.ts';

/** What `registerServer` would do. The server is started with the literals as they are, and stopped again. */
export async function previewRegistration(
  parts: RegistryParts,
  document: unknown,
  asker: Asker,
  watch: ProvisionWatch,
): Promise<Registration> {
  const config = parseServerConfig(document, parts.callTimeoutMs);
  assertInputsGiven(config);
  return parts.locks.exclusive(config.name, async () => {
    await assertMayRegister(parts, config, asker);
    const moved = await moveToSecrets(parts, config, asker.isAdministrator);
    const warnings = await pullFor(parts, config, watch);
    const fit = await fitOf(parts, config);
    assertNothingLost(config.name, fit, { mayDiscard: asker.discardData, act: 'This' });
    const tried = config.image === undefined ? config : { ...candidateOf(config, fit), isTryOut: true };
    const { candidate, missing } = await prepareServer(parts, tried, watch);
    await candidate?.discard();
    const before = parts.catalog.server(config.name);
    return describeRegistration({
      server: await previewServer(moved.config, candidate && storable(candidate.tools), before),
      before,
      outcome: outcomeOf(parts, moved.config),
      missing,
      warnings,
      advice: parts,
    });
  });
}
