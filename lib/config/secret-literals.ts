import { referencesIn } from './config-references.ts';
import { hasReference, referencedNames, toReference } from './references.ts';
import type { ServerConfig } from './server-config.ts';
import { mapUrlValues, urlValues } from './url-values.ts';

/**
 * Literal values in `env`, `headers`, `bearer_token` and behind the `?` of a `url`: which ones there are, how they
 * become references to the secrets method, and how a config looks without them (contract section 4). A value that
 * holds a `${NAME}` anywhere is a reference; an empty one hides nothing and stays.
 */

export interface MovedLiterals {
  readonly config: ServerConfig;
  /** Secret name → the literal that stood in its place. */
  readonly values: ReadonlyMap<string, string>;
}

export interface SecretNamesInUse {
  /** Names that have a value now. */
  readonly existing: ReadonlySet<string>;
  /** Names that other servers refer to or own. */
  readonly ofOthers: ReadonlySet<string>;
  /** Names that this server owns and whose values may be replaced by this registration. */
  readonly own: ReadonlySet<string>;
}

/**
 * Puts `${<SERVER>__<VAR>}` in the place of every literal, with a number appended where that name is in use for
 * something else. A place that `previous` filled with one of its own secrets keeps the name, so registering again
 * replaces the secret instead of adding another. A name that the config itself refers to is in use: a new value for it
 * would be read in that other place, too.
 */
export function moveLiterals(
  config: ServerConfig,
  previous: ServerConfig | undefined,
  inUse: SecretNamesInUse,
): MovedLiterals {
  const values = new Map<string, string>();
  const referred = new Set(referencesIn(config));
  const isFree = (name: string) => !values.has(name) && !inUse.ofOthers.has(name) && !referred.has(name);
  const moved = mapSecretPlaces(config, (place, value) => {
    if (!isLiteral(value)) return value;
    const before = previous && soleReference(valueAt(previous, place));
    const name =
      before !== undefined && inUse.own.has(before) && isFree(before)
        ? before
        : firstFree(baseName(config.name, place.key), (name) => isFree(name) && !inUse.existing.has(name));
    values.set(name, value);
    return toReference(name);
  });
  return { config: moved, values };
}

/** The places of literal values, as `env.TOKEN`, for a warning. */
export function literalPlaces(config: ServerConfig): string[] {
  return literals(config).map(({ place: { field, key } }) =>
    field === 'bearer_token' ? field : `${field}.${key}`,
  );
}

export function literalValues(config: ServerConfig): string[] {
  return literals(config).map(({ value }) => value);
}

/** The same config with every literal emptied: the form that may be stored in the database. */
export function withoutLiterals(config: ServerConfig): ServerConfig {
  return mapSecretPlaces(config, (_place, value) => (isLiteral(value) ? '' : value));
}

/** How the names of the secrets begin that were made from this server's literals; other servers' may begin likewise. */
export function secretPrefix(server: string): string {
  return `${toSecretName(server)}__`;
}

const longestKey = 128;

interface Place {
  readonly field: 'env' | 'headers' | 'bearer_token' | 'url';
  readonly key: string;
  /** Of a URL, which may have several with one key. */
  readonly at?: number;
}

function literals(config: ServerConfig): { readonly place: Place; readonly value: string }[] {
  const found: { place: Place; value: string }[] = [];
  mapSecretPlaces(config, (place, value) => {
    if (isLiteral(value)) found.push({ place, value });
    return value;
  });
  return found;
}

function isLiteral(value: string): boolean {
  return value !== '' && !hasReference(value);
}

function mapSecretPlaces(
  config: ServerConfig,
  change: (place: Place, value: string) => string,
): ServerConfig {
  const changeAll = (field: 'env' | 'headers', entries: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(entries).map(([key, value]) => [key, change({ field, key }, value)]));
  return {
    ...config,
    env: changeAll('env', config.env),
    headers: changeAll('headers', config.headers),
    bearerToken:
      config.bearerToken === undefined
        ? undefined
        : change({ field: 'bearer_token', key: 'bearer_token' }, config.bearerToken),
    url:
      config.url === undefined
        ? undefined
        : mapUrlValues(config.url, (key, value, at) => change({ field: 'url', key, at }, value)),
  };
}

function valueAt(config: ServerConfig, { field, key, at = 0 }: Place): string | undefined {
  if (field === 'bearer_token') return config.bearerToken;
  if (field !== 'url') return config[field][key];
  const found = urlValues(config.url ?? '')[at];
  return found?.key === key ? found.value : undefined;
}

/** The name in `value` when it is exactly one reference. */
function soleReference(value: string | undefined): string | undefined {
  const [name] = referencedNames([value ?? '']);
  return name !== undefined && value === toReference(name) ? name : undefined;
}

/** What a URL calls its parameters can be of any length. */
function baseName(server: string, key: string): string {
  return secretPrefix(server) + toSecretName(key.slice(0, longestKey));
}

/** A variable may not start with a digit, a server may. */
function toSecretName(text: string): string {
  return text
    .toUpperCase()
    .replace(/[^A-Z0-9_]/g, '_')
    .replace(/^(?=[0-9])/, '_');
}

function firstFree(base: string, isFree: (name: string) => boolean): string {
  for (let number = 1; ; number++) {
    const name = number === 1 ? base : `${base}_${number}`;
    if (isFree(name)) return name;
  }
}
