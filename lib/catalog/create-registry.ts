import { createAdoptChange } from './adopt-change.ts';
import { createReconciler } from './create-reconciler.ts';
import { deregisterServer } from './deregister-server.ts';
import { createBackgroundListings } from './list-in-background.ts';
import { createNameLocks } from './name-locks.ts';
import { createPacedStarts } from './paced-starts.ts';
import { previewRegistration, registerServer } from './register-server.ts';
import type { Registry } from './registry.ts';
import type { RegistryDeps, RegistryParts } from './registry-parts.ts';
import { restartServer } from './restart-server.ts';
import { createToolStore, type ToolStore } from './store-tools.ts';

/**
 * Puts the registry together: operations that people ask for (`register-server.ts`, `deregister-server.ts`,
 * `restart-server.ts`), the service's own agreement with the config files (`create-reconciler.ts`), and the tool
 * lists that connections bring (`store-tools.ts`).
 */
export interface RunningRegistry extends Registry {
  /**
   * Takes the config files over and follows their changes. The catalog must be loaded. Waits a moment for servers
   * that were never listed, so that a first visitor finds their tools, and for no other server.
   */
  start(): Promise<void>;
  /** While `start` may be waiting for servers that were never listed. */
  isListingFirst(): boolean;
  /** Looks at the config files now. */
  reconcile(): Promise<void>;
  /** Given to the upstreams: a connection listed these tools. */
  readonly takeTools: ToolStore;
  close(): Promise<void>;
}

/** A dead or slow server costs this once per boot, and only while it was never listed. */
const defaultFirstListingMs = 2_500;

export function createRegistry(deps: RegistryDeps): RunningRegistry {
  const ended = new AbortController();
  const operated = new Set<string>();
  const locks = createNameLocks((name) => {
    operated.add(name);
    void lookSoon();
  });
  const parts: RegistryParts = {
    ...deps,
    known: { current: new Map(), withFile: new Set(), problems: new Map() },
    locks,
    starts: createPacedStarts(),
    ended: ended.signal,
  };
  const takeTools = createToolStore(parts);
  const { listInBackground, isFirstUnderWay, untilFirstListed } = createBackgroundListings(parts, takeTools);
  const reconciler = createReconciler({
    ...parts,
    listInBackground,
    adoptChange: createAdoptChange(parts, listInBackground),
    isOutdated: (name) => operated.has(name) || locks.isBusy(name),
    onLookBegins: () => operated.clear(),
  });
  let isFollowing = false;
  const lookSoon = async () => {
    if (isFollowing && !ended.signal.aborted) await reconciler.look();
  };
  const closers: (() => unknown)[] = [() => ended.abort()];

  return {
    register: (document, options) =>
      options?.dryRun
        ? previewRegistration(parts, document)
        : registerServer(parts, listInBackground, document),
    deregister: (name) => deregisterServer(parts, name),
    restart: (name) => restartServer(parts, name),
    problem: (name) => parts.known.problems.get(name)?.problem,
    brokenFiles: () => brokenFiles(parts),
    reconcile: reconciler.look,
    takeTools,
    isListingFirst: isFirstUnderWay,
    async start() {
      await createFolderWhenNew(parts);
      await reconciler.look();
      isFollowing = true;
      const watch = await deps.files.watch(() => void lookSoon());
      closers.push(() => watch.close());
      // Where file systems report no changes, the other process that made one still tells of it.
      closers.push(
        deps.bus.subscribe((news, origin) => {
          if (news.type === 'tools' && origin === 'remote') void lookSoon();
        }),
      );
      await untilFirstListed(deps.firstListingMs ?? defaultFirstListingMs);
    },
    async close() {
      await Promise.all(closers.map((close) => close()));
    },
  };
}

/** Only while nothing is stored: the missing folder of a service in use is a fault, not a fresh start. */
async function createFolderWhenNew({ catalog, files }: RegistryParts): Promise<void> {
  if (catalog.servers().length === 0) await files.createFolder();
}

function brokenFiles({ known }: RegistryParts): ReadonlyMap<string, string> {
  const neverUsable = [...known.problems].filter(([name]) => !known.current.has(name));
  return new Map(neverUsable.map(([name, { problem }]) => [name, problem]));
}
