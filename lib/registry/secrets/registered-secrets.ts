import { mapReferringStrings, referencesIn } from '../../config/references.ts';
import { literalPlaces, type MovedLiterals, moveLiterals } from '../../config/secret-literals.ts';
import type { ServerConfig } from '../../config/server-config.ts';
import { originHash } from '../../config/server-origin.ts';
import { Failure, toFailure } from '../../failure.ts';
import type { Secrets } from '../../secrets/secrets.ts';
import type { RegistryDependencies, StoredServerNames } from '../registry-dependencies.ts';
import type { SecretOwner } from './secret-owners.ts';

/**
 * Secrets of registered servers: literals of a registration move to the secrets method, and are removed with the server
 * that owns them. A value that another server refers to, in a usable file or a broken one, is never changed, and one
 * without an owning server is the operator's.
 */

export interface MovedSecrets extends MovedLiterals {
  readonly owner: SecretOwner;
  /** Names of the secrets that the server owns at its origin: the moved ones, and those of its own that it refers to. */
  readonly claims: readonly string[];
}

/** @param isAdministrator The server keeps its secrets at another origin. */
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
  const namesWhere = (isIncluded: (owner: SecretOwner) => boolean) =>
    [...owned].filter(([, owner]) => isIncluded(owner)).map(([secret]) => secret);
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

/** Resolves with the undo, which restores earlier values and removes new names. */
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
 * Removes the secrets that `server` owns and no server refers to. Resolves with their number; undefined: removing failed.
 * @param remaining The config that the server keeps, if any.
 */
export async function removeOrphans(
  deps: Pick<RegistryDependencies, 'secrets' | 'known' | 'owners' | 'log'>,
  server: string,
  remaining?: ServerConfig,
): Promise<number | undefined> {
  const { known, owners, log } = deps;
  try {
    const owned = [...(await owners.read())].filter(([, owner]) => owner.server === server);
    const stillUsed = new Set(remaining ? referencesIn(remaining) : []);
    const released = owned.map(([name]) => name).filter((name) => !stillUsed.has(name));
    const ofOthers = referencesOfOthers(known, server);
    const removed = released.filter((name) => !ofOthers.has(name));
    if (removed.length > 0) await removeSecrets(deps, server, removed);
    // A secret that others refer to becomes the operator's: a later server of this name gets no right to it.
    await owners.release(released);
    return removed.length;
  } catch {
    log.warn({ server }, 'Secrets of a server that nothing refers to any more could not be removed.');
    return undefined;
  }
}

/** Values in a file that is kept elsewhere stay there, and become the operator's. */
async function removeSecrets(
  { secrets, log }: Pick<RegistryDependencies, 'secrets' | 'log'>,
  server: string,
  names: readonly string[],
): Promise<void> {
  try {
    await secrets.remove(names);
  } catch (error) {
    if (toFailure(error).code !== 'secret_read_only') throw error;
    log.warn(
      { server, secrets: names },
      'Nothing refers to these variables any more; the file is managed elsewhere.',
    );
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

/** Names that servers refer to, in a usable file or a broken one; `name` is left out. */
function referencesOfOthers(known: StoredServerNames, name?: string): Set<string> {
  const references = new Set<string>();
  for (const config of known.current.values()) {
    if (config.name !== name) for (const reference of referencesIn(config)) references.add(reference);
  }
  for (const [other, problem] of known.problems) {
    if (other !== name) for (const reference of problem.references) references.add(reference);
  }
  return references;
}

/**
 * Removes the secrets that a killed service wrote for a registration and that no config refers to. Containers of such a
 * registration carry our label, by which the reaper finds them.
 */
export async function removeUnfinished(
  deps: Pick<RegistryDependencies, 'journal' | 'secrets' | 'owners' | 'files' | 'known' | 'log'>,
): Promise<void> {
  const { journal, secrets, owners, files, known, log } = deps;
  const unfinished = await journal.unfinished();
  // References are unknown without the folder of configs.
  if (unfinished.length === 0 || (await files.readAll()) === undefined) return;
  const inUse = referencesOfOthers(known);
  for (const { id, secrets: names } of unfinished) {
    const orphans = names.filter((name) => !inUse.has(name));
    if (orphans.length > 0) {
      await secrets.remove(orphans);
      await owners.release(orphans);
      log.warn({ secrets: orphans }, 'Removed secrets of a registration that was never finished.');
    }
    await journal.delete(id);
  }
}

const input = /\$\{input:([^{}$]{1,200})\}/;

/**
 * Refuses a placeholder for which other clients prompt the user: the placeholder must not become the value.
 * @throws Failure `invalid_params`
 */
export function assertInputsGiven(config: ServerConfig): void {
  mapReferringStrings(config, (text) => {
    const [whole, id] = input.exec(text) ?? [];
    if (whole !== undefined) {
      throw new Failure(
        'invalid_params',
        `The config asks for a value with \`${whole}\`: put the value there, or a \`\${NAME}\` of the secrets.`,
        { details: { input: id } },
      );
    }
    return text;
  });
}
