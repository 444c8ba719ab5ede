import type { StoredServer } from '../catalog/catalog.ts';
import type { Registry } from '../catalog/registry.ts';
import { toFailure } from '../http/failure.ts';
import type { Log } from '../observe/log.ts';
import type { Metrics } from '../observe/metrics.ts';
import type { Upstreams } from '../upstreams/upstreams.ts';
import type { ContainerKeeper } from './container-keeper.ts';
import type { Containers } from './containers.ts';

/**
 * Somebody pulled a newer image under the tag that a running server was made from: it is restarted from that image,
 * and the log says how its tools differ (groups show them as `changed`, `new` or `missing`). Waits for a moment
 * without calls, but not for ever. An image that does not start is tried once; a restart by hand tries it again.
 */
export interface ImageUpdates {
  look(server: StoredServer): Promise<void>;
}

export interface ImageUpdatesDependencies {
  readonly containers: Pick<Containers, 'image'>;
  readonly keeper: Pick<ContainerKeeper, 'status'>;
  readonly upstreams: Pick<Upstreams, 'status'>;
  readonly registry: Pick<Registry, 'restart'>;
  readonly metrics: Pick<Metrics, 'countRepair'>;
  readonly log: Log;
}

const looksToWait = 10;

export function createImageUpdates(dependencies: ImageUpdatesDependencies): ImageUpdates {
  const { containers, keeper, upstreams, registry, metrics, log } = dependencies;
  const waited = new Map<string, number>();
  const tried = new Map<string, string>();

  async function newerImage({ name, config }: StoredServer): Promise<string | undefined> {
    const { imageId, running } = keeper.status(name);
    if (config.image === undefined || imageId === undefined || !running) return undefined;
    const image = await containers.image(config.image).catch(() => undefined);
    return image === undefined || image.id === imageId ? undefined : image.id;
  }

  function mustWait(name: string): boolean {
    const looks = (waited.get(name) ?? 0) + 1;
    const isBusy = (upstreams.status(name)?.callsInFlight ?? 0) > 0;
    if (isBusy && looks < looksToWait) waited.set(name, looks);
    else waited.delete(name);
    return isBusy && looks < looksToWait;
  }

  return {
    async look(server) {
      const { name } = server;
      const imageId = await newerImage(server);
      if (imageId === undefined || tried.get(name) === imageId || mustWait(name)) return;
      tried.set(name, imageId);
      try {
        const after = await registry.restart(name);
        metrics.countRepair('updated');
        log.info({ server: name, ...differences(server, after) }, 'The server runs from a newer image now.');
      } catch (error) {
        log.warn(
          { server: name, reason: toFailure(error).message },
          'The server did not start from a newer image.',
        );
      }
    },
  };
}

function differences(before: StoredServer, after: StoredServer): Record<string, readonly string[]> {
  const hashBefore = new Map(before.tools.map(({ name, hash }) => [name, hash]));
  const now = new Set(after.tools.map(({ name }) => name));
  return {
    added: after.tools.filter(({ name }) => !hashBefore.has(name)).map(({ name }) => name),
    removed: [...hashBefore.keys()].filter((name) => !now.has(name)),
    changed: after.tools
      .filter(({ name, hash }) => hashBefore.has(name) && hashBefore.get(name) !== hash)
      .map(({ name }) => name),
  };
}
