import { needsSecrets } from '../../config/secret-literals.ts';
import type { ServerConfig } from '../../config/server-config.ts';

/**
 * What a process without folders cannot reach by itself (docs/decisions/0029): a server that is a program, or one that wants
 * a secret which this process does not have. Servers in containers have a rule of their own.
 * @returns Asked at each call; remembers its answers as long as the config lives.
 */
export function createNeedsManager({ hasSecrets }: { readonly hasSecrets: boolean }) {
  const known = new WeakMap<ServerConfig, boolean>();

  return (config: ServerConfig): boolean => {
    const before = known.get(config);
    if (before !== undefined) return before;
    const needs = config.url === undefined || (!hasSecrets && needsSecrets(config));
    known.set(config, needs);
    return needs;
  };
}
