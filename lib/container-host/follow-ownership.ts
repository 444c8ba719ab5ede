import { debounceNames } from '../async/debounce-names.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Bus } from '../events/bus.ts';
import type { Log } from '../log.ts';
import type { Upstreams } from '../upstreams/upstreams.ts';
import type { ContainerReconciler } from './reconcile-containers.ts';

/**
 * What a process does while it looks after the containers, and when it begins and ends to: it looks at all of them at
 * once, after each change that it hears of and from time to time; once another one looks after them it lets go, because
 * two that read from one container disturb each other.
 */
export interface OwnershipDuties {
  /** To be told when this process becomes the owner or ceases to be it. */
  changed(isOwner: boolean): void;
  /** Everything is loaded: duties begin. */
  start(): void;
  stop(): void;
}

export interface OwnershipDutiesDependencies {
  readonly isOwner: () => boolean;
  readonly reconciler: ContainerReconciler;
  readonly catalog: Pick<Catalog, 'servers' | 'server'>;
  readonly upstreams: Pick<Upstreams, 'letGo'>;
  readonly bus: Pick<Bus, 'subscribe'>;
  readonly log: Log;
  readonly everyMs?: number;
  readonly soonMs?: number;
}

export function createOwnershipDuties(dependencies: OwnershipDutiesDependencies): OwnershipDuties {
  const { isOwner, reconciler, catalog, upstreams, bus, log, everyMs = 30_000, soonMs = 500 } = dependencies;
  let isStarted = false;
  let isNew = true;
  let looking: Promise<void> | undefined;
  let timer: ReturnType<typeof setInterval> | undefined;
  let unsubscribe = () => {};
  const soon = debounceNames(soonMs, () => look());

  /** One look at a time; what happens during one is found by the next. */
  function look(): void {
    if (!isStarted || !isOwner() || looking) return;
    looking = reconciler
      .look(isNew)
      .then((hasLooked) => {
        if (hasLooked) isNew = false;
      })
      .catch((error: unknown) => log.warn({ error: String(error) }, 'The containers could not be looked at.'))
      .finally(() => {
        looking = undefined;
      });
  }

  async function letGo(): Promise<void> {
    const images = catalog.servers().filter(({ config }) => config.image !== undefined);
    await Promise.all(images.map(({ name }) => upstreams.letGo(name).catch(() => {})));
  }

  return {
    changed(isOwnerNow) {
      if (!isStarted) return;
      if (!isOwnerNow) return void letGo();
      isNew = true;
      look();
    },
    start() {
      isStarted = true;
      timer = setInterval(look, everyMs);
      unsubscribe = bus.subscribe(({ type, name }) => {
        const isOfContainer = type === 'server' && catalog.server(name)?.config.image !== undefined;
        if (isOfContainer || type === 'tools') soon.add(name);
      });
      look();
    },
    stop() {
      isStarted = false;
      clearInterval(timer);
      soon.stop();
      unsubscribe();
    },
  };
}
