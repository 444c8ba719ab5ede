import type { RegistryDependencies } from '../registry-dependencies.ts';
import { secretsInUse } from './registered-secrets.ts';

/**
 * Ends what a service that was killed in the middle of a registration has begun: secrets that it wrote and that no
 * config refers to by now are removed. Containers of that kind carry our label and are found by it (the reaper).
 */
export async function removeUnfinished(deps: RegistryDependencies): Promise<void> {
  const { journal, secrets, owners, files, known, log } = deps;
  const unfinished = await journal.leftBehind();
  // Without the folder of configs nobody can tell what is referred to.
  if (unfinished.length === 0 || (await files.readAll()) === undefined) return;
  const inUse = secretsInUse(known);
  for (const { id, secrets: names } of unfinished) {
    const orphans = names.filter((name) => !inUse.has(name));
    if (orphans.length > 0) {
      await secrets.remove(orphans);
      await owners.release(orphans);
      log.warn({ secrets: orphans }, 'Removed secrets of a registration that was never finished.');
    }
    await journal.strike(id);
  }
}
