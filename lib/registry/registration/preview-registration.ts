import { parseServerConfig } from '../../config/parse-server-config.ts';
import type { ProvisionWatch } from '../../containers/images/provision-steps.ts';
import { assertNothingLost, candidateOf, readContainerFit } from '../provisioning/container-plan.ts';
import type { Registration } from '../registry.ts';
import type { RegistryDependencies } from '../registry-dependencies.ts';
import { assertInputsGiven, moveToSecrets } from '../secrets/registered-secrets.ts';
import { assertStorable } from './assert-storable.ts';
import { describeRegistration, previewServer, registrationOutcome } from './registration.ts';
import { assertMayRegister, type Requester } from './registration-rights.ts';
import { prepareServer, pullFor } from './start-server.ts';
import { storable } from './store-tools.ts';

/** The dry run of `registerServer`: starts the server with its literals as they are, and stops it again. */
export async function previewRegistration(
  deps: RegistryDependencies,
  document: unknown,
  requester: Requester,
  watch: ProvisionWatch,
): Promise<Registration> {
  const config = parseServerConfig(document, deps.callTimeoutMs);
  assertInputsGiven(config);
  return deps.locks.exclusive(config.name, async () => {
    await assertMayRegister(deps, config, requester);
    const moved = await moveToSecrets(deps, config, requester.isAdministrator);
    await assertStorable(deps, moved);
    const warnings = await pullFor(deps, config, watch);
    const fit = await readContainerFit(deps, config);
    assertNothingLost(config.name, fit, { mayDiscard: requester.discardData, act: 'This' });
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
