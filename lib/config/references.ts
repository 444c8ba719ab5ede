import type { ServerConfig } from './server-config.ts';

/**
 * `${NAME}` references in the strings of a registration config (docs/api.md, Server configs): their syntax, and the
 * fields that may hold them, which are those by which the server is started. Values are read from the secrets method at
 * each start.
 */

const reference = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

/** The names in order of their first appearance, each once. */
export function referencedNames(texts: Iterable<string>): string[] {
  const names = new Set<string>();
  for (const text of texts) {
    for (const match of text.matchAll(reference)) names.add(match[1] ?? '');
  }
  return [...names];
}

export function hasReference(text: string): boolean {
  return text.search(reference) >= 0;
}

/** The inserted values are not searched for references. */
export function replaceReferences(text: string, value: (name: string) => string): string {
  return text.replace(reference, (_, name: string) => value(name));
}

export function toReference(name: string): string {
  return `\${${name}}`;
}

/** Names of the variables a config refers to, each once, in order of appearance. */
export function referencesIn(config: ServerConfig): readonly string[] {
  const texts: string[] = [];
  mapReferringStrings(config, (text) => {
    texts.push(text);
    return text;
  });
  return referencedNames(texts);
}

export function mapReferringStrings(config: ServerConfig, map: (text: string) => string): ServerConfig {
  const optional = (text: string | undefined) => (text === undefined ? undefined : map(text));
  const record = (values: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(values).map(([key, value]) => [key, map(value)]));
  return {
    ...config,
    command: optional(config.command),
    entrypoint: config.entrypoint?.map(map),
    args: config.args.map(map),
    env: record(config.env),
    cwd: optional(config.cwd),
    url: optional(config.url),
    headers: record(config.headers),
    bearerToken: optional(config.bearerToken),
  };
}
