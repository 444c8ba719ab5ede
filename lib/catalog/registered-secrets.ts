import type { Secrets } from '../secrets/secrets.ts';
import { referencesIn } from '../upstreams/secret-references.ts';
import type { KnownServers, RegistryParts } from './registry-parts.ts';
import { literalPlaces, type MovedLiterals, moveLiterals, secretPrefix } from './secret-literals.ts';
import type { ServerConfig } from './server-config.ts';

/**
 * The registry's dealings with the secrets method: literals of a registration move there, and go again with the
 * server. A value that another server refers to, in a usable file or a broken one, is never touched.
 */

export async function moveToSecrets(
  parts: Pick<RegistryParts, 'secrets' | 'known'>,
  config: ServerConfig,
): Promise<MovedLiterals> {
  const { secrets, known } = parts;
  const previous = known.current.get(config.name);
  const ofOthers = referencesOfOthers(known, config.name);
  const hasLiterals = literalPlaces(config).length > 0;
  const existing: ReadonlySet<string> = hasLiterals ? await secrets.names() : new Set();
  return moveLiterals(config, previous, { existing, ofOthers });
}

/** Resolves with the way back: the values that stood there before, and nothing where there was none. */
export async function writeSecrets(
  secrets: Secrets,
  values: ReadonlyMap<string, string>,
): Promise<() => Promise<void>> {
  if (values.size === 0) return async () => {};
  const names = [...values.keys()];
  const before = await secrets.read(names);
  await secrets.write(values);
  return async () => {
    await secrets.write(before);
    await secrets.remove(names.filter((name) => !before.has(name)));
  };
}

/** Removes what only `gone` referred to; `stays` is the config that takes its place, if any. */
export async function removeOrphans(
  parts: Pick<RegistryParts, 'secrets' | 'known' | 'log'>,
  gone: ServerConfig,
  stays?: ServerConfig,
): Promise<void> {
  const { secrets, known, log } = parts;
  const inUse = new Set([...referencesOfOthers(known, gone.name), ...(stays ? referencesIn(stays) : [])]);
  const orphans = referencesIn(gone).filter((name) => !inUse.has(name));
  // A server that stays may get a variable of the operator's own back by hand; ours are made anew.
  const removed = stays ? orphans.filter((name) => name.startsWith(secretPrefix(gone.name))) : orphans;
  if (removed.length === 0) return;
  await secrets.remove(removed).catch(() => {
    log.warn(
      { server: gone.name, secrets: removed },
      'Secrets that nothing refers to any more could not be removed.',
    );
  });
}

export function warnOfLiterals({ log }: Pick<RegistryParts, 'log'>, config: ServerConfig): void {
  const places = literalPlaces(config);
  if (places.length === 0) return;
  log.warn(
    { server: config.name, places },
    'A config file holds literal values; move them to the secrets method and refer to them by name.',
  );
}

/** Names that some server refers to, in a usable file or a broken one. */
export function secretsInUse(known: KnownServers): Set<string> {
  return referencesOfOthers(known, undefined);
}

function referencesOfOthers(known: KnownServers, name: string | undefined): Set<string> {
  const references = new Set<string>();
  for (const config of known.current.values()) {
    if (config.name !== name) for (const reference of referencesIn(config)) references.add(reference);
  }
  for (const [other, problem] of known.problems) {
    if (other !== name) for (const reference of problem.references) references.add(reference);
  }
  return references;
}
