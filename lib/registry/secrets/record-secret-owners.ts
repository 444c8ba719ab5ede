import { referencesIn } from '../../config/references.ts';
import { secretPrefix } from '../../config/secret-literals.ts';
import { originHash } from '../../config/server-origin.ts';
import type { RegistryDependencies } from '../registry-dependencies.ts';
import type { SecretOwner } from './secret-owners.ts';

/**
 * Runs once, at the first start with a table of owners: a secret belongs to the server that it is named after if that
 * server refers to it. A secret stays the operator's if the names of two such servers fold alike, or if it has another
 * name.
 */
export async function recordSecretOwners(
  deps: Pick<RegistryDependencies, 'owners' | 'secrets' | 'files' | 'known' | 'log'>,
): Promise<void> {
  const { owners, secrets, files, known, log } = deps;
  if (await owners.areKnown()) return;
  // Owners cannot be determined without the folder of configs.
  if ((await files.readAll()) === undefined) return;
  const existing = known.current.size + known.problems.size === 0 ? new Set<string>() : await secrets.names();
  const determined = new Map<string, SecretOwner>();
  const shared = new Set<string>();
  for (const { server, origin, references } of await referringServers(deps)) {
    const made = references.filter((name) => name.startsWith(secretPrefix(server)) && existing.has(name));
    for (const name of made) {
      if (determined.has(name)) shared.add(name);
      determined.set(name, { server, origin });
    }
  }
  for (const name of shared) determined.delete(name);
  if (shared.size > 0) {
    log.warn(
      { secrets: [...shared] },
      'These secrets belong to no server: the names of several lead to them.',
    );
  }
  await owners.record(determined);
}

/** With their origins; '' where the file of a server cannot be used now. */
async function referringServers({ known }: Pick<RegistryDependencies, 'known'>) {
  const usable = [...known.current.values()].map(async (config) => ({
    server: config.name,
    origin: await originHash(config),
    references: referencesIn(config),
  }));
  const broken = [...known.problems]
    .filter(([server]) => !known.current.has(server))
    .map(([server, { references }]) => ({ server, origin: '', references }));
  return [...(await Promise.all(usable)), ...broken];
}
