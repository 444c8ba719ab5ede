import { unlessAborted, withTimeout } from '../../async/wait.ts';
import type { ServerConfig } from '../../config/server-config.ts';
import type { ToolStore } from '../registration/store-tools.ts';
import type { RegistryDependencies } from '../registry-dependencies.ts';

/**
 * Wakes an installed server whose tools are not known yet: nobody calls a tool that was never listed, so no call
 * would. One push is enough; from then on its connection is supervised and brings the tools when it has them.
 */
export type ListInBackground = (config: ServerConfig) => void;

export interface BackgroundListings {
  readonly listInBackground: ListInBackground;
  /** Whether a server that was never listed is being listed. */
  isFirstUnderWay(): boolean;
  /** Resolves once those servers are listed and their tools stored, or did not start, or after `atMostMs`. */
  untilFirstListed(atMostMs: number): Promise<void>;
}

export function createBackgroundListings(
  deps: RegistryDependencies,
  takeTools: ToolStore,
): BackgroundListings {
  const { catalog, upstreams, known, starts, ended } = deps;
  const firstOnes = new Set<Promise<void>>();

  async function wake(config: ServerConfig): Promise<void> {
    if (ended.aborted || known.current.get(config.name) !== config) return;
    await takeTools(config, await upstreams.restart(config.name));
  }

  return {
    listInBackground(config) {
      const hasStoredTools = catalog.server(config.name)?.tools.length;
      // A failed start is in the server's status and in the log already.
      const listing = starts(() => wake(config))
        .catch(() => {})
        .finally(() => firstOnes.delete(listing));
      if (!hasStoredTools) firstOnes.add(listing);
    },
    isFirstUnderWay: () => firstOnes.size > 0,
    async untilFirstListed(atMostMs) {
      const listed = unlessAborted(Promise.all(firstOnes), ended).catch(() => {});
      await withTimeout(listed, atMostMs, () => {});
    },
  };
}
