import { unlessAborted, withTimeout } from '../../async/wait.ts';
import type { ServerConfig } from '../../config/server-config.ts';
import type { ToolStore } from '../registration/store-tools.ts';
import type { RegistryDependencies } from '../registry-dependencies.ts';

/**
 * Starts an installed server whose tools are not known yet: no call would start it, because agents call listed tools
 * only. One start is enough; from then on the connection is supervised and delivers the tools.
 */
export type ListInBackground = (config: ServerConfig) => void;

export interface BackgroundListings {
  readonly listInBackground: ListInBackground;
  /** Whether a server that was never listed is being listed. */
  isFirstUnderWay(): boolean;
  /** Resolves once all such servers are listed and stored, or failed to start, or after `atMostMs`. */
  untilFirstListed(atMostMs: number): Promise<void>;
}

export function createBackgroundListings(
  deps: Pick<RegistryDependencies, 'catalog' | 'upstreams' | 'known' | 'starts' | 'ended'>,
  storeTools: ToolStore,
): BackgroundListings {
  const { catalog, upstreams, known, starts, ended } = deps;
  const firstListings = new Set<Promise<void>>();

  async function start(config: ServerConfig): Promise<void> {
    if (ended.aborted || known.current.get(config.name) !== config) return;
    await storeTools(config, await upstreams.restart(config.name));
  }

  return {
    listInBackground(config) {
      const hasStoredTools = catalog.server(config.name)?.tools.length;
      // A failed start is in the server's status and in the log already.
      const listing = starts(() => start(config))
        .catch(() => {})
        .finally(() => firstListings.delete(listing));
      if (!hasStoredTools) firstListings.add(listing);
    },
    isFirstUnderWay: () => firstListings.size > 0,
    async untilFirstListed(atMostMs) {
      const listed = unlessAborted(Promise.all(firstListings), ended).catch(() => {});
      await withTimeout(listed, atMostMs, () => {});
    },
  };
}
