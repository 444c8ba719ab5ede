import { sha256 } from '../text/sha256.ts';
import { imageRepository } from './image-reference.ts';
import { referencedNames, replaceReferences } from './references.ts';
import type { ServerConfig } from './server-config.ts';

export type OriginFields = Pick<ServerConfig, 'url' | 'image' | 'entrypoint' | 'command' | 'args'>;

/**
 * Who a server is, as far as its config tells: whoever is given its secrets. A program is its command and arguments,
 * a container its image's repository with what the image's own command is replaced by (a tag is a version of the same),
 * a server at an address the scheme, host and port. References count as they are written, not by their values.
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

/** The origin in a form that may be stored: arguments can hold what nobody should read. */
export function originHash(config: OriginFields): Promise<string> {
  return sha256(originOf(config));
}

/**
 * Read by the parser that also dials, since only that one knows where the host of a strange address ends. A reference
 * in scheme, host or port is part of them by name.
 */
function addressOf(url: string): readonly string[] {
  const names = referencedNames([url]);
  const probe = replaceReferences(url, (name) => probeOf(names.indexOf(name)));
  // A port cannot be told from a reference to one without its value.
  if (!URL.canParse(probe)) return [url];
  const { origin } = new URL(probe);
  return [origin, ...names.filter((_, at) => origin.includes(probeOf(at)))];
}

/** Digits alone could be a port, or part of an address of numbers. */
function probeOf(at: number): string {
  return `reference-${at}-`;
}
