import { createLimiter } from '../async/limiter.ts';
import { createMutex } from '../async/mutex.ts';
import { createNameLocks } from './name-locks.ts';
import { createApplyChange } from './reconcile/apply-change.ts';
import { createReconciler } from './reconcile/create-reconciler.ts';
import { createBackgroundListings } from './reconcile/list-in-background.ts';
import { createToolStore, type ToolStore } from './registration/store-tools.ts';
import type { Registry } from './registry.ts';
import type { RegistryDependencies, RegistryDeps } from './registry-dependencies.ts';
import { createRegistryOperations } from './registry-operations.ts';
import { completeRemovals } from './removal/complete-removals.ts';
import { recordSecretOwners } from './secrets/record-secret-owners.ts';
import { removeUnfinished } from './secrets/registered-secrets.ts';

/**
 * Assembles the registry: operations of requests (`registry-operations.ts`), reconciliation with the config files
 * (`create-reconciler.ts`), and the tool lists of connections (`store-tools.ts`).
 */
export interface RunningRegistry extends Registry {
  /**
   * Applies the config files and follows their changes. The catalog must be loaded. Waits briefly for servers that were
   * never listed, so that a first visitor finds their tools, and for no other server.
   */
  start(): Promise<void>;
  /** True while `start` may be waiting for servers that were never listed. */
  isListingFirst(): boolean;
  /** Servers that are being registered, removed or restarted. */
  busyNames(): readonly string[];
  /** Reconciles with the config files now. */
  reconcile(): Promise<void>;
  /** For the upstreams: stores the tools that a connection listed. */
  readonly storeTools: ToolStore;
  /** Aborts operations under way and starts no new ones, while answers can still be given. */
  end(): void;
  /** Resolves once a pass under way is over: a closed registry applies no changes. */
  close(): Promise<void>;
}

/** The longest delay of a boot by a dead or slow server, and only while the server was never listed. */
const defaultFirstListingMs = 2_500;

export function createRegistry(options: RegistryDeps): RunningRegistry {
  const ended = new AbortController();
  const operated = new Set<string>();
  const locks = createNameLocks((name) => {
    operated.add(name);
    void reconcileSoon();
  });
  const deps: RegistryDependencies = {
    ...options,
    known: { current: new Map(), withFile: new Set(), problems: new Map() },
    locks,
    starts: createLimiter(),
    secretsMutex: createMutex(),
    ended: ended.signal,
  };
  const storeTools = createToolStore(deps);
  const { listInBackground, isFirstUnderWay, untilFirstListed } = createBackgroundListings(deps, storeTools);
  const reconciler = createReconciler({
    ...deps,
    listInBackground,
    applyChange: createApplyChange(deps, listInBackground),
    isOutdated: (name) => operated.has(name) || locks.isBusy(name),
    onBegin: () => operated.clear(),
  });
  let isFollowing = false;
  const reconcileSoon = async () => {
    if (isFollowing && !ended.signal.aborted) await reconciler.reconcile();
  };
  const deferRemovals = (error: unknown) => {
    deps.log.warn({ error: String(error) }, 'A removal that was cut short is finished at the next start.');
    return async () => {};
  };
  const closers: (() => unknown)[] = [() => ended.abort()];

  return {
    ...createRegistryOperations(deps, listInBackground),
    configOf: (name) => deps.known.current.get(name),
    problem: (name) => deps.known.problems.get(name)?.problem,
    brokenFiles: () => brokenFiles(deps),
    folderProblem: reconciler.folderProblem,
    busyNames: locks.busyNames,
    reconcile: reconciler.reconcile,
    storeTools,
    isListingFirst: isFirstUnderWay,
    async start() {
      await createFolderWhenNew(deps);
      const completeRest = await completeRemovals(deps).catch(deferRemovals);
      await reconciler.reconcile();
      isFollowing = true;
      await recordSecretOwners(deps).catch((error: unknown) => {
        deps.log.warn({ error: String(error) }, 'Secrets get their owners at the next start.');
      });
      await removeUnfinished(deps).catch((error: unknown) => {
        deps.log.warn({ error: String(error) }, 'What a killed registration left could not be removed.');
      });
      await completeRest().catch(deferRemovals);
      const watch = await deps.files.watch(() => void reconcileSoon());
      closers.push(() => watch.close());
      // Some file systems report no changes; the process that made the change publishes this message.
      closers.push(
        deps.bus.subscribe((busMessage, origin) => {
          if (busMessage.type === 'tools' && origin === 'remote') void reconcileSoon();
        }),
      );
      await untilFirstListed(options.firstListingMs ?? defaultFirstListingMs);
    },
    end: () => ended.abort(),
    async close() {
      await Promise.all(closers.map((close) => close()));
      await reconciler.idle();
    },
  };
}

/** Only on a fresh installation: the missing folder of a service in use is a fault. */
async function createFolderWhenNew({
  catalog,
  files,
}: Pick<RegistryDependencies, 'catalog' | 'files'>): Promise<void> {
  if (catalog.servers().length === 0) await files.createFolder();
}

function brokenFiles({ known }: Pick<RegistryDependencies, 'known'>): ReadonlyMap<string, string> {
  const neverUsable = [...known.problems].filter(([name]) => !known.current.has(name));
  return new Map(neverUsable.map(([name, { problem }]) => [name, problem]));
}
