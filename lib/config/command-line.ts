import type { ServerConfig } from './server-config.ts';

/**
 * The command of a server as typed in a shell, for people to read. References such as `${TOKEN}` stay as they are. Of an
 * image the command that replaces its own; undefined where the config gives none.
 */
export function commandLine({ command, args }: Pick<ServerConfig, 'command' | 'args'>): string | undefined {
  const words = command === undefined ? args : [command, ...args];
  return words.length === 0 ? undefined : words.map(quote).join(' ');
}

function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
