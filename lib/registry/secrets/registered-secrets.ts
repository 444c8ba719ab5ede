import { referencesIn } from '../../config/references.ts';
import { literalPlaces, type MovedLiterals, moveLiterals } from '../../config/secret-literals.ts';
import type { ServerConfig } from '../../config/server-config.ts';
import { originHash } from '../../config/server-origin.ts';
import type { Secrets } from '../../secrets/secrets.ts';
import type { RegistryDependencies, StoredServerNames } from '../registry-dependencies.ts';
import type { SecretOwner } from './secret-owners.ts';

/**
 * The registry's dealings with the secrets method: literals of a registration move there, and go again with the
 * server that owns them. A value that another server refers to, in a usable file or a broken one, is never touched,
 * and one that no server owns is the operator's.
 */

export interface MovedSecrets extends MovedLiterals {
  readonly owner: SecretOwner;
  /** Names whose values are the owner's, at its origin: those moved now, and those it refers to that it owns. */
  readonly claims: readonly string[];
}

/** @param isAdministrator May take a server's secrets along to another origin. */
export async function moveToSecrets(
  deps: Pick<RegistryDependencies, 'secrets' | 'known' | 'owners'>,
  config: ServerConfig,
  isAdministrator: boolean,
): Promise<MovedSecrets> {
  const { secrets, known, owners } = deps;
  const { name } = config;
  const owner = { server: name, origin: await originHash(config) };
  const hasLiterals = literalPlaces(config).length > 0;
  if (!hasLiterals && referencesIn(config).length === 0) {
    return { config, values: new Map(), owner, claims: [] };
  }
  const owned = await owners.read();
  const namesWhere = (holds: (of: SecretOwner) => boolean) =>
    [...owned].filter(([, of]) => holds(of)).map(([secret]) => secret);
  const own = new Set(
    namesWhere(({ server, origin }) => server === name && (isAdministrator || origin === owner.origin)),
  );
  const moved = moveLiterals(config, known.current.get(name), {
    existing: hasLiterals ? await secrets.names() : new Set(),
    ofOthers: new Set([...referencesOfOthers(known, name), ...namesWhere(({ server }) => server !== name)]),
    own,
  });
  const claims = new Set([...moved.values.keys(), ...referencesIn(config).filter((it) => own.has(it))]);
  return { ...moved, owner, claims: [...claims] };
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

/**
 * Removes what `server` owns and nobody refers to; `stays` is the config that it goes on with, if any. Resolves with how
 * many it removed; undefined: it could not.
 */
export async function removeOrphans(
  deps: Pick<RegistryDependencies, 'secrets' | 'known' | 'owners' | 'log'>,
  server: string,
  stays?: ServerConfig,
): Promise<number | undefined> {
  const { secrets, known, owners, log } = deps;
  try {
    const owned = [...(await owners.read())].filter(([, owner]) => owner.server === server);
    const inStays = new Set(stays ? referencesIn(stays) : []);
    const given = owned.map(([name]) => name).filter((name) => !inStays.has(name));
    const ofOthers = referencesOfOthers(known, server);
    const removed = given.filter((name) => !ofOthers.has(name));
    if (removed.length > 0) await secrets.remove(removed);
    // What others refer to stays, as the operator's: a later server of this name gets no right to it.
    await owners.release(given);
    return removed.length;
  } catch {
    log.warn({ server }, 'Secrets of a server that nothing refers to any more could not be removed.');
    return undefined;
  }
}

export function warnOfLiterals({ log }: Pick<RegistryDependencies, 'log'>, config: ServerConfig): void {
  const places = literalPlaces(config);
  if (places.length === 0) return;
  log.warn(
    { server: config.name, places },
    'A config file holds literal values; move them to the secrets method and refer to them by name.',
  );
}

/** Names that some server refers to, in a usable file or a broken one. */
export function secretsInUse(known: StoredServerNames): Set<string> {
  return referencesOfOthers(known, undefined);
}

function referencesOfOthers(known: StoredServerNames, name: string | undefined): Set<string> {
  const references = new Set<string>();
  for (const config of known.current.values()) {
    if (config.name !== name) for (const reference of referencesIn(config)) references.add(reference);
  }
  for (const [other, problem] of known.problems) {
    if (other !== name) for (const reference of problem.references) references.add(reference);
  }
  return references;
}
