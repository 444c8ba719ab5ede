import { sha256 } from '../text/sha256.ts';
import { imageRepository } from './image-reference.ts';
import { referencedNames, replaceReferences } from './references.ts';
import type { ServerConfig } from './server-config.ts';

export type OriginFields = Pick<ServerConfig, 'url' | 'image' | 'entrypoint' | 'command' | 'args'>;

/**
 * The identity of a server for the purpose of its secrets, from its config: of a program the command and arguments, of a
 * container the image's repository without the tag, with the command and entrypoint that replace the image's own, of a
 * server at an address the scheme, host and port. References count as written, not by their values.
 */
export function originOf(config: OriginFields): string {
  const { url, image, entrypoint, command, args } = config;
  if (image !== undefined) {
    const started = [command ?? null, args, ...(entrypoint === undefined ? [] : [entrypoint])];
    return JSON.stringify(['image', imageRepository(image), ...started]);
  }
  if (url !== undefined) return JSON.stringify(['url', ...addressOf(url)]);
  return JSON.stringify(['command', command ?? null, args]);
}

/** The origin in a form that may be stored, since arguments can hold secrets. */
export function originHash(config: OriginFields): Promise<string> {
  return sha256(originOf(config));
}

/**
 * Parsed by the same parser that connects, so that both see the same host in an unusual address. References in scheme,
 * host or port count by their names.
 */
function addressOf(url: string): readonly string[] {
  const names = referencedNames([url]);
  const probe = replaceReferences(url, (name) => probeOf(names.indexOf(name)));
  // A reference in the place of the port cannot be parsed without its value.
  if (!URL.canParse(probe)) return [url];
  const { origin } = new URL(probe);
  return [origin, ...names.filter((_, at) => origin.includes(probeOf(at)))];
}

/** Not digits alone, which could be a port or part of an IP address. */
function probeOf(at: number): string {
  return `reference-${at}-`;
}
