import { referencedNames } from './references.ts';
import type { ServerConfig } from './server-config.ts';

/** Where a registration config may hold `${NAME}`: the strings by which its server is started, and no other. */

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
