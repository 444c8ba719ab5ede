import type { RegistryDependencies } from '../registry-dependencies.ts';
import { removeOrphans } from '../secrets/registered-secrets.ts';
import { removeContainers } from './remove-containers.ts';

/**
 * Ends what a service that was killed in the middle of a removal has begun; to be called before the config files are
 * first looked at. The file decides: while it is there the server stands, and the removal, which nobody was told of as
 * done, is called off; without it the server is gone, and what is left of it goes too. Without the folder of configs
 * nobody can tell, and the next start decides.
 * @returns What can be done only once it is known what the other servers refer to.
 */
export async function completeRemovals(deps: RegistryDependencies): Promise<() => Promise<void>> {
  const { catalog, containers, files, known, locks, log } = deps;
  const begun = await catalog.withdrawn();
  const found = begun.length === 0 ? undefined : await files.readAll();
  if (found === undefined) return async () => {};
  const gone: string[] = [];
  for (const name of begun.filter((each) => !locks.isBusy(each))) {
    if (found.has(name)) {
      await catalog.endWithdrawal(name);
      log.warn({ server: name }, 'The service was killed while it removed this server; it is as before.');
      continue;
    }
    gone.push(name);
    await containers?.pins.remove(name);
    await catalog.remove(name);
  }
  return async () => {
    for (const name of gone.filter((each) => !known.current.has(each))) await finish(deps, name);
  };
}

async function finish(deps: RegistryDependencies, name: string): Promise<void> {
  const { warning } = await removeContainers(deps, name);
  if ((await removeOrphans(deps, name)) === undefined) return;
  await deps.catalog.endWithdrawal(name);
  deps.log.warn({ server: name, left: warning }, 'Finished a removal that was cut short.');
}
