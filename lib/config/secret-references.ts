import { Failure } from '../failure.ts';
import type { Secrets } from '../secrets/secrets.ts';
import { mapReferringStrings, referencesIn, replaceReferences } from './references.ts';
import { literalValues } from './secret-literals.ts';
import type { ServerConfig } from './server-config.ts';

/**
 * A config with values in the place of its `${NAME}` references. Values come from the secrets method alone, never from
 * the environment of this process, and are read again at each start of the server, so that a corrected value needs no
 * restart of the gateway. Texts for people (`description`) stay as they are: a value must not end up in an answer.
 */
export interface ResolvedConfig {
  readonly config: ServerConfig;
  /** The inserted values, and literals in places for secrets: to be blotted out of the server's output. */
  readonly values: readonly string[];
}

/** @throws Failure `upstream_unavailable` with `details.missing_variables` when a name has no value. */
export async function resolveReferences(
  config: ServerConfig,
  secrets: Pick<Secrets, 'read'>,
): Promise<ResolvedConfig> {
  const names = referencesIn(config);
  if (names.length === 0) return { config, values: literalValues(config) };
  const values = await secrets.read(names);
  const missing = names.filter((name) => !values.has(name));
  if (missing.length > 0) throw missingVariables(config.name, missing);
  const resolve = (text: string) => replaceReferences(text, (name) => values.get(name) ?? '');
  return {
    config: mapReferringStrings(config, resolve),
    values: [...values.values(), ...literalValues(config)],
  };
}

/**
 * All values that can be blotted out now, even when some variable has none. Values that were removed or replaced
 * meanwhile are not among them. Rejects while the values cannot be read.
 */
export async function knownValues(
  config: ServerConfig,
  secrets: Pick<Secrets, 'read'>,
): Promise<readonly string[]> {
  const names = referencesIn(config);
  const values = names.length === 0 ? new Map<string, string>() : await secrets.read(names);
  return [...values.values(), ...literalValues(config)];
}

export function missingVariables(server: string, names: readonly string[]): Failure {
  const subject = names.length === 1 ? `variable ${names[0]} has` : `variables ${names.join(', ')} have`;
  return new Failure(
    'upstream_unavailable',
    `The server "${server}" cannot start: the ${subject} no value; add it to the secrets.`,
    { details: { missing_variables: names } },
  );
}
