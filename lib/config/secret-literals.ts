import { hasReference, referencedNames, referencesIn, toReference } from './references.ts';
import type { ServerConfig } from './server-config.ts';

/**
 * Literal values in `env`, `headers`, `bearer_token` and behind the `?` of a `url`: finding them, replacing them by
 * references to the secrets method, and emptying them (docs/api.md, Server configs). A value that holds a `${NAME}`
 * anywhere is a reference; an empty value is no secret and stays.
 */

export interface MovedLiterals {
  readonly config: ServerConfig;
  /** Secret name → the literal that its reference replaced. */
  readonly values: ReadonlyMap<string, string>;
}

export interface SecretNamesInUse {
  /** Names that have a value now. */
  readonly existing: ReadonlySet<string>;
  /** Names that other servers refer to or own. */
  readonly ofOthers: ReadonlySet<string>;
  /** Names that this server owns; this registration may replace their values. */
  readonly own: ReadonlySet<string>;
}

/**
 * Replaces every literal by `${<SERVER>__<VAR>}`, with a number appended where that name is in use for something else. A
 * place that refers to one of the server's own secrets in `previous` keeps the name, so registering again replaces the
 * secret instead of adding another. A name that the config itself refers to is in use: a new value would also be read
 * at that other reference.
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

/** Whether `withoutLiterals` may have emptied a value: then only a process that has the config's file has that value. */
export function mayLackLiterals(config: ServerConfig): boolean {
  let hasEmpty = false;
  mapSecretPlaces(config, (_place, value) => {
    hasEmpty ||= value === '';
    return value;
  });
  return hasEmpty;
}

/** Prefix of the names of secrets that were made from this server's literals; other servers may share it. */
export function secretPrefix(server: string): string {
  return `${toSecretName(server)}__`;
}

const longestKey = 128;

interface Place {
  readonly field: 'env' | 'headers' | 'bearer_token' | 'url';
  readonly key: string;
  /** Position among the values of a URL, which may have several with one key. */
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

/** The names of a URL's parameters can be of any length. */
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

/**
 * The parts of an address that can be a secret: the value of each query parameter, a query or a part of it without a
 * name, and the fragment. Their names (`key`, `s`, `id`) do not show which ones are secrets, so all count.
 */
interface UrlValue {
  /** The parameter's name. */
  readonly key: string;
  /** As written in the address, percent-encoding included. */
  readonly value: string;
}

function urlValues(url: string): UrlValue[] {
  const values: UrlValue[] = [];
  mapUrlValues(url, (key, value) => {
    values.push({ key, value });
    return value;
  });
  return values;
}

/** @param change Returns the new text of each part; `at` counts the parts. */
function mapUrlValues(url: string, change: (key: string, value: string, at: number) => string): string {
  const [, head = '', query, fragment] = url.match(/^([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s) ?? [];
  let at = 0;
  const next = (key: string, value: string) => change(key, value, at++);
  const changed = query?.split('&').map((part) => {
    const equals = part.indexOf('=');
    if (equals < 0) return part === '' ? part : next('query', part);
    return part.slice(0, equals + 1) + next(part.slice(0, equals), part.slice(equals + 1));
  });
  const ending = fragment === undefined ? '' : `#${next('fragment', fragment)}`;
  return `${head}${changed === undefined ? '' : `?${changed.join('&')}`}${ending}`;
}
