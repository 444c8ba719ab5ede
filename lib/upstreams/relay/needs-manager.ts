import { referencesIn } from '../../config/references.ts';
import { mayLackLiterals } from '../../config/secret-literals.ts';
import type { ServerConfig } from '../../config/server-config.ts';

/**
 * What a process without folders leaves to a manager (docs/decisions/0029): a server that is a program, one that wants a
 * secret which this process does not have, and one that has a connection for each session, which must be the same at
 * whichever process the session's requests arrive. A value that stands in the config's file itself is at a manager only,
 * whatever secrets are here. Servers in containers have a rule of their own.
 * @returns Asked at each call; remembers its answers as long as the config lives.
 */
export function createNeedsManager({ hasSecrets }: { readonly hasSecrets: boolean }) {
  const known = new WeakMap<ServerConfig, boolean>();

  return (config: ServerConfig): boolean => {
    const before = known.get(config);
    if (before !== undefined) return before;
    const isAnywhere = config.url !== undefined && config.sessionMode !== 'stateful';
    const lacksSecrets = mayLackLiterals(config) || (!hasSecrets && referencesIn(config).length > 0);
    const needs = !isAnywhere || lacksSecrets;
    known.set(config, needs);
    return needs;
  };
}
