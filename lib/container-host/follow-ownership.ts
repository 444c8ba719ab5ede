import { debounceNames } from '../async/debounce-names.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Bus } from '../events/bus.ts';
import type { Log } from '../log.ts';
import type { Upstreams } from '../upstreams/upstreams.ts';
import type { ContainerReconciler } from './reconcile-containers.ts';

/**
 * The duties of the process that owns the containers. It reconciles them when it becomes the owner, after each change
 * on the bus and on a timer; when another process becomes the owner it closes its connections, because two readers of
 * one container disturb each other.
 */
export interface OwnershipDuties {
  /** This process became the owner, or ceased to be. */
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
  let reconciling: Promise<void> | undefined;
  let timer: ReturnType<typeof setInterval> | undefined;
  let unsubscribe = () => {};
  const soon = debounceNames(soonMs, () => reconcile());

  /** One run at a time; a change during a run is found by the next. */
  function reconcile(): void {
    if (!isStarted || !isOwner() || reconciling) return;
    reconciling = reconciler
      .reconcile(isNew)
      .then((isDone) => {
        if (isDone) isNew = false;
      })
      .catch((error: unknown) => log.warn({ error: String(error) }, 'The containers could not be looked at.'))
      .finally(() => {
        reconciling = undefined;
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
      reconcile();
    },
    start() {
      isStarted = true;
      timer = setInterval(reconcile, everyMs);
      unsubscribe = bus.subscribe(({ type, name }) => {
        const isOfContainer = type === 'server' && catalog.server(name)?.config.image !== undefined;
        if (isOfContainer || type === 'tools') soon.add(name);
      });
      reconcile();
    },
    stop() {
      isStarted = false;
      clearInterval(timer);
      soon.stop();
      unsubscribe();
    },
  };
}
