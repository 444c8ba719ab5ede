import { referencesIn } from '../../config/references.ts';
import { secretPrefix } from '../../config/secret-literals.ts';
import { originHash } from '../../config/server-origin.ts';
import type { RegistryDependencies } from '../registry-dependencies.ts';
import type { SecretOwner } from './secret-owners.ts';

/**
 * Once, at the first start with a record of owners: a secret whose name we made for a server, and that this server
 * refers to, is its own. Where the names of two such servers fold alike nobody can tell whose it is, and it stays the
 * operator's, as does everything that has another name.
 */
export async function recordSecretOwners(deps: RegistryDependencies): Promise<void> {
  const { owners, secrets, files, known, log } = deps;
  if (await owners.areKnown()) return;
  // Without the folder of configs nobody can tell what is whose.
  if ((await files.readAll()) === undefined) return;
  const existing = known.current.size + known.problems.size === 0 ? new Set<string>() : await secrets.names();
  const adopted = new Map<string, SecretOwner>();
  const shared = new Set<string>();
  for (const { server, origin, references } of await referringServers(deps)) {
    const made = references.filter((name) => name.startsWith(secretPrefix(server)) && existing.has(name));
    for (const name of made) {
      if (adopted.has(name)) shared.add(name);
      adopted.set(name, { server, origin });
    }
  }
  for (const name of shared) adopted.delete(name);
  if (shared.size > 0) {
    log.warn(
      { secrets: [...shared] },
      'These secrets belong to no server: the names of several lead to them.',
    );
  }
  await owners.record(adopted);
}

/** With their origins; of a server whose file cannot be used now nobody knows one. */
async function referringServers({ known }: RegistryDependencies) {
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
