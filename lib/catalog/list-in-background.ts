import type { RegistryParts } from './registry-parts.ts';
import type { ServerConfig } from './server-config.ts';

/**
 * Wakes an installed server whose tools are not known yet: nobody calls a tool that was never listed, so no call
 * would. One push is enough; from then on its connection is supervised and brings the tools when it has them.
 */
export type ListInBackground = (config: ServerConfig) => void;

export function createListInBackground(parts: RegistryParts): ListInBackground {
  const { upstreams, known, starts, ended } = parts;

  return (config) => {
    const wake = async () => {
      if (ended.aborted || known.current.get(config.name) !== config) return;
      await upstreams.restart(config.name);
    };
    // A failed start is in the server's status and in the log already.
    starts(wake).catch(() => {});
  };
}
