import { parseServerConfig } from '../../config/parse-server-config.ts';
import type { ProvisionWatch } from '../../containers/images/provision-steps.ts';
import { assertNothingLost, candidateOf, fitOf } from '../provisioning/container-plan.ts';
import type { Registration } from '../registry.ts';
import type { RegistryDependencies } from '../registry-dependencies.ts';
import { assertInputsGiven } from '../secrets/assert-inputs-given.ts';
import { moveToSecrets } from '../secrets/registered-secrets.ts';
import { prepareServer, pullFor } from './prepare-server.ts';
import { describeRegistration, previewServer } from './registration.ts';
import { registrationOutcome } from './registration-outcome.ts';
import { type Asker, assertMayRegister } from './registration-rights.ts';
import { storable } from './store-tools.ts';

/** What `registerServer` would do. The server is started with the literals as they are, and stopped again. */
export async function previewRegistration(
  deps: RegistryDependencies,
  document: unknown,
  asker: Asker,
  watch: ProvisionWatch,
): Promise<Registration> {
  const config = parseServerConfig(document, deps.callTimeoutMs);
  assertInputsGiven(config);
  return deps.locks.exclusive(config.name, async () => {
    await assertMayRegister(deps, config, asker);
    const moved = await moveToSecrets(deps, config, asker.isAdministrator);
    const warnings = await pullFor(deps, config, watch);
    const fit = await fitOf(deps, config);
    assertNothingLost(config.name, fit, { mayDiscard: asker.discardData, act: 'This' });
    const tried = config.image === undefined ? config : { ...candidateOf(config, fit), isTryOut: true };
    const { candidate, missing } = await prepareServer(deps, tried, watch);
    await candidate?.discard();
    const before = deps.catalog.server(config.name);
    return describeRegistration({
      server: await previewServer(moved.config, candidate && storable(candidate.tools), before),
      before,
      outcome: registrationOutcome(deps, moved.config),
      missing,
      warnings,
      advice: deps,
    });
  });
}
