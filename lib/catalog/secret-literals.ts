import { hasReference, referencedNames, toReference } from '../secrets/references.ts';
import type { ServerConfig } from './server-config.ts';

/**
 * Literal values in `env`, `headers` and `bearer_token`: which ones there are, how they become references to the
 * secrets method, and how a config looks without them (contract section 4). A value that holds a `${NAME}`
 * anywhere is a reference; an empty one hides nothing and stays.
 */

export interface MovedLiterals {
  readonly config: ServerConfig;
  /** Secret name → the literal that stood in its place. */
  readonly values: ReadonlyMap<string, string>;
}

export interface SecretNamesInUse {
  /** Names that have a value now. */
  readonly existing: ReadonlySet<string>;
  /** Names that other servers refer to. */
  readonly ofOthers: ReadonlySet<string>;
}

/**
 * Puts `${<SERVER>__<VAR>}` in the place of every literal, with a number appended where that name is in use for
 * something else. A place that `previous` filled with a reference of our making keeps its name, so registering
 * again replaces the secret instead of adding another.
 */
export function moveLiterals(
  config: ServerConfig,
  previous: ServerConfig | undefined,
  inUse: SecretNamesInUse,
): MovedLiterals {
  const values = new Map<string, string>();
  const isFree = (name: string) => !values.has(name) && !inUse.ofOthers.has(name);
  const moved = mapSecretPlaces(config, (place, value) => {
    if (!isLiteral(value)) return value;
    const before = previous && ownReference(valueAt(previous, place), config.name);
    const name =
      before !== undefined && isFree(before)
        ? before
        : firstFree(baseName(config.name, place.key), (name) => isFree(name) && !inUse.existing.has(name));
    values.set(name, value);
    return toReference(name);
  });
  return { config: moved, values };
}

/** The places of literal values, as `env.TOKEN`, for a warning. */
export function literalPlaces(config: ServerConfig): string[] {
  const places: string[] = [];
  mapSecretPlaces(config, (place, value) => {
    if (isLiteral(value))
      places.push(place.field === 'bearer_token' ? place.field : `${place.field}.${place.key}`);
    return value;
  });
  return places;
}

/** The same config with every literal emptied: the form that may be stored in the database. */
export function withoutLiterals(config: ServerConfig): ServerConfig {
  return mapSecretPlaces(config, (_place, value) => (isLiteral(value) ? '' : value));
}

/** How the names of the secrets begin that were made from this server's literals. */
export function secretPrefix(server: string): string {
  return `${toSecretName(server)}__`;
}

interface Place {
  readonly field: 'env' | 'headers' | 'bearer_token';
  readonly key: string;
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
  };
}

function valueAt(config: ServerConfig, place: Place): string | undefined {
  return place.field === 'bearer_token' ? config.bearerToken : config[place.field][place.key];
}

/** The name in `value` when it is exactly one reference that `moveLiterals` made for this server. */
function ownReference(value: string | undefined, server: string): string | undefined {
  const [name] = referencedNames([value ?? '']);
  if (name === undefined || value !== toReference(name)) return undefined;
  return name.startsWith(secretPrefix(server)) ? name : undefined;
}

function baseName(server: string, key: string): string {
  return secretPrefix(server) + toSecretName(key);
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
