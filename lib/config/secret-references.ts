import { Failure } from '../failure.ts';
import type { Secrets } from '../secrets/secrets.ts';
import { mapReferringStrings, referencesIn } from './config-references.ts';
import { replaceReferences } from './references.ts';
import { literalValues } from './secret-literals.ts';
import type { ServerConfig } from './server-config.ts';

/**
 * `${NAME}` in the strings by which a server is started. Values come from the secrets method alone, never from
 * our own environment, and are read anew at each start, so that a corrected value needs no restart of ours.
 * Texts for people (`description`) are left alone: a value must not end up in an answer.
 */
export interface ResolvedConfig {
  readonly config: ServerConfig;
  /** The values that were put in, and literals in places for secrets: to be blotted out of what the server prints. */
  readonly values: readonly string[];
}

/** @throws Failure `upstream_unavailable` with `details.missing_variables` when a name has no value. */
export async function resolveReferences(config: ServerConfig, secrets: Secrets): Promise<ResolvedConfig> {
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
 * Whatever can be hidden of it now: a variable without a value must not show the others. A value that was taken away
 * or replaced since is not known any more. Rejects while the values cannot be read.
 */
export async function knownValues(config: ServerConfig, secrets: Secrets): Promise<readonly string[]> {
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
