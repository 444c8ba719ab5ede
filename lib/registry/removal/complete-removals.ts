import type { RegistryDependencies } from '../registry-dependencies.ts';
import { removeOrphans } from '../secrets/registered-secrets.ts';
import { removeContainers } from './removal-steps.ts';

/**
 * Completes or undoes removals that a kill of the service interrupted; called before the config files are first read.
 * The file decides: while it exists the server stays, and the removal, which was never answered, is undone; without the
 * file the server and all its remains are removed. Without the folder of configs the next start decides.
 * @returns The rest of the removals, run once the references of the other servers are known.
 */
export async function completeRemovals(
  deps: Pick<
    RegistryDependencies,
    'catalog' | 'containers' | 'files' | 'known' | 'locks' | 'log' | 'secrets' | 'owners'
  >,
): Promise<() => Promise<void>> {
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

async function finish(
  deps: Pick<RegistryDependencies, 'catalog' | 'containers' | 'known' | 'log' | 'secrets' | 'owners'>,
  name: string,
): Promise<void> {
  const { warning } = await removeContainers(deps, name);
  if ((await removeOrphans(deps, name)) === undefined) return;
  await deps.catalog.endWithdrawal(name);
  deps.log.warn({ server: name, left: warning }, 'Finished a removal that was cut short.');
}
