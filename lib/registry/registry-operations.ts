import { anySignal } from '../async/cancellation.ts';
import { checkUpdate } from './provisioning/check-update.ts';
import { provisionServer } from './provisioning/provision-server.ts';
import { rollBackServer } from './provisioning/rollback-server.ts';
import { updateServer } from './provisioning/update-server.ts';
import type { ListInBackground } from './reconcile/list-in-background.ts';
import { previewRegistration } from './registration/preview-registration.ts';
import { registerServer } from './registration/register-server.ts';
import type { Registry } from './registry.ts';
import type { RegistryDependencies } from './registry-dependencies.ts';
import { deregisterServer } from './removal/deregister-server.ts';
import { restartServer } from './restart-server.ts';

/** What people ask of the registry. Called off by whoever asked, and by the end of the service. */
export function createRegistryOperations(
  deps: RegistryDependencies,
  listInBackground: ListInBackground,
): Pick<
  Registry,
  'register' | 'provision' | 'deregister' | 'restart' | 'update' | 'rollBack' | 'checkUpdate'
> {
  async function whileWanted<Result>(
    signal: AbortSignal | undefined,
    work: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const joined = anySignal(signal ? [signal, deps.ended] : [deps.ended]);
    return await work(joined.signal).finally(joined.release);
  }

  return {
    register: (document, options = {}) =>
      whileWanted(options.signal, (signal) => {
        const watch = { signal, onStep() {} };
        const { isAdministrator = false, replace = false, discardData = false } = options;
        const asker = { isAdministrator, replace, discardData };
        return options.dryRun
          ? previewRegistration(deps, document, asker, watch)
          : registerServer(deps, listInBackground, document, asker, watch);
      }),
    provision: (request, { signal, onStep }, { isAdministrator = false } = {}) =>
      whileWanted(signal, (joined) =>
        provisionServer(deps, listInBackground, request, isAdministrator, { signal: joined, onStep }),
      ),
    deregister: (name) => deregisterServer(deps, name),
    restart: (name, { discardData = false } = {}) => restartServer(deps, name, discardData),
    update: (name, options, { signal, onStep }) =>
      whileWanted(signal, (joined) => updateServer(deps, name, options, { signal: joined, onStep })),
    rollBack: (name, options, { signal, onStep }) =>
      whileWanted(signal, (joined) => rollBackServer(deps, name, options, { signal: joined, onStep })),
    checkUpdate: (name) => checkUpdate(deps, name),
  };
}
