import { joinSignals } from '../async/joined-signal.ts';
import { checkUpdate } from './provisioning/check-update.ts';
import { provisionServer } from './provisioning/provision-server.ts';
import { rollBackServer } from './provisioning/rollback-server.ts';
import { updateServer } from './provisioning/update-server.ts';
import type { ListInBackground } from './reconcile/list-in-background.ts';
import { previewRegistration } from './registration/preview-registration.ts';
import { registerServer } from './registration/register-server.ts';
import type { Registry } from './registry.ts';
import type { RegistryParts } from './registry-parts.ts';
import { deregisterServer } from './removal/deregister-server.ts';
import { restartServer } from './restart-server.ts';

/** What people ask of the registry. Called off by whoever asked, and by the end of the service. */
export function createRegistryOperations(
  parts: RegistryParts,
  listInBackground: ListInBackground,
): Pick<
  Registry,
  'register' | 'provision' | 'deregister' | 'restart' | 'update' | 'rollBack' | 'checkUpdate'
> {
  async function whileWanted<Result>(
    signal: AbortSignal | undefined,
    work: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const joined = joinSignals(signal ? [signal, parts.ended] : [parts.ended]);
    return await work(joined.signal).finally(joined.release);
  }

  return {
    register: (document, options = {}) =>
      whileWanted(options.signal, (signal) => {
        const watch = { signal, onStep() {} };
        const { isAdministrator = false, replace = false, discardData = false } = options;
        const asker = { isAdministrator, replace, discardData };
        return options.dryRun
          ? previewRegistration(parts, document, asker, watch)
          : registerServer(parts, listInBackground, document, asker, watch);
      }),
    provision: (request, { signal, onStep }, { isAdministrator = false } = {}) =>
      whileWanted(signal, (joined) =>
        provisionServer(parts, listInBackground, request, isAdministrator, { signal: joined, onStep }),
      ),
    deregister: (name) => deregisterServer(parts, name),
    restart: (name, { discardData = false } = {}) => restartServer(parts, name, discardData),
    update: (name, options, { signal, onStep }) =>
      whileWanted(signal, (joined) => updateServer(parts, name, options, { signal: joined, onStep })),
    rollBack: (name, options, { signal, onStep }) =>
      whileWanted(signal, (joined) => rollBackServer(parts, name, options, { signal: joined, onStep })),
    checkUpdate: (name) => checkUpdate(parts, name),
  };
}
