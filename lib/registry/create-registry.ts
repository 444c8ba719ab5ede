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
import { removeUnfinished } from './secrets/remove-unfinished.ts';

/**
 * Puts the registry together: operations that people ask for (`registry-operations.ts`), the service's own agreement
 * with the config files (`create-reconciler.ts`), and the tool lists that connections bring (`store-tools.ts`).
 */
export interface RunningRegistry extends Registry {
  /**
   * Takes the config files over and follows their changes. The catalog must be loaded. Waits a moment for servers
   * that were never listed, so that a first visitor finds their tools, and for no other server.
   */
  start(): Promise<void>;
  /** While `start` may be waiting for servers that were never listed. */
  isListingFirst(): boolean;
  /** Servers that somebody is registering, removing or restarting. */
  busyNames(): readonly string[];
  /** Looks at the config files now. */
  reconcile(): Promise<void>;
  /** Given to the upstreams: a connection listed these tools. */
  readonly takeTools: ToolStore;
  /** Calls off what is under way and begins nothing new, while answers can still be given. */
  end(): void;
  /** Resolves once the look that was under way is over: a closed registry takes nothing over. */
  close(): Promise<void>;
}

/** A dead or slow server costs this once per boot, and only while it was never listed. */
const defaultFirstListingMs = 2_500;

export function createRegistry(options: RegistryDeps): RunningRegistry {
  const ended = new AbortController();
  const operated = new Set<string>();
  const locks = createNameLocks((name) => {
    operated.add(name);
    void lookSoon();
  });
  const deps: RegistryDependencies = {
    ...options,
    known: { current: new Map(), withFile: new Set(), problems: new Map() },
    locks,
    starts: createLimiter(),
    secretsMutex: createMutex(),
    ended: ended.signal,
  };
  const takeTools = createToolStore(deps);
  const { listInBackground, isFirstUnderWay, untilFirstListed } = createBackgroundListings(deps, takeTools);
  const reconciler = createReconciler({
    ...deps,
    listInBackground,
    applyChange: createApplyChange(deps, listInBackground),
    isOutdated: (name) => operated.has(name) || locks.isBusy(name),
    onLookBegins: () => operated.clear(),
  });
  let isFollowing = false;
  const lookSoon = async () => {
    if (isFollowing && !ended.signal.aborted) await reconciler.look();
  };
  const nextStart = (error: unknown) => {
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
    reconcile: reconciler.look,
    takeTools,
    isListingFirst: isFirstUnderWay,
    async start() {
      await createFolderWhenNew(deps);
      const finishDeregistrations = await completeRemovals(deps).catch(nextStart);
      await reconciler.look();
      isFollowing = true;
      await recordSecretOwners(deps).catch((error: unknown) => {
        deps.log.warn({ error: String(error) }, 'Secrets get their owners at the next start.');
      });
      await removeUnfinished(deps).catch((error: unknown) => {
        deps.log.warn({ error: String(error) }, 'What a killed registration left could not be removed.');
      });
      await finishDeregistrations().catch(nextStart);
      const watch = await deps.files.watch(() => void lookSoon());
      closers.push(() => watch.close());
      // Where file systems report no changes, the other process that made one still tells of it.
      closers.push(
        deps.bus.subscribe((busMessage, origin) => {
          if (busMessage.type === 'tools' && origin === 'remote') void lookSoon();
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

/** Only while nothing is stored: the missing folder of a service in use is a fault, not a fresh start. */
async function createFolderWhenNew({ catalog, files }: RegistryDependencies): Promise<void> {
  if (catalog.servers().length === 0) await files.createFolder();
}

function brokenFiles({ known }: RegistryDependencies): ReadonlyMap<string, string> {
  const neverUsable = [...known.problems].filter(([name]) => !known.current.has(name));
  return new Map(neverUsable.map(([name, { problem }]) => [name, problem]));
}
