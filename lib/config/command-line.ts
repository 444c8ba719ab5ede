import type { ServerConfig } from './server-config.ts';

/**
 * What runs for a server, as one would type it in a shell: for people to read. References such as `${TOKEN}` stay
 * as they are. Of an image it is what its own command is replaced by; undefined where nothing is.
 */
export function commandLine({ command, args }: Pick<ServerConfig, 'command' | 'args'>): string | undefined {
  const words = command === undefined ? args : [command, ...args];
  return words.length === 0 ? undefined : words.map(quote).join(' ');
}

function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
