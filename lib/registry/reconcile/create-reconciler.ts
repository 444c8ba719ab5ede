import type { ConfigFile } from '../../config/config-files.ts';
import { toFailure } from '../../failure.ts';
import { type Absence, type FolderProblem, judgeAbsence } from './judge-absence.ts';
import {
  type ReconcileDependencies,
  reconcileFile,
  reconcileRemoval,
  reconcileUnwritten,
  serveFromStored,
} from './reconcile-configs.ts';
import { createFolderMemory } from './seen-configs.ts';

/**
 * Reconciles the servers with the config files, one pass at a time: a change that is noticed during a pass gets another
 * one. Whether a server without a file is deregistered is up to `judge-absence.ts`; the pass at boot also expects the
 * files of stored servers.
 */
export interface Reconciler {
  /** Resolves after a pass that began after this call. Never rejects. */
  reconcile(): Promise<void>;
  /** Resolves when no pass is under way or waiting. */
  idle(): Promise<void>;
  /** Problem of the folder as a whole, in a sentence. */
  folderProblem(): string | undefined;
}

export function createReconciler(deps: ReconcileDependencies & { readonly onBegin: () => void }): Reconciler {
  const { catalog, files, known, locks, bus, log } = deps;
  const memory = createFolderMemory(deps);
  let isBoot = true;
  let problem: FolderProblem | undefined;
  let current: Promise<void> | undefined;
  let next: Promise<void> | undefined;

  async function reconcileOnce(): Promise<void> {
    deps.onBegin();
    await memory.load();
    const { folder, found } = await readFolder();
    const expected = expectedNames();
    const names = [...found.keys()];
    const gone = [...expected].filter((name) => !found.has(name) && !deps.isOutdated(name));
    const wereMissed = problem !== undefined;
    const absence = judgeAbsence({
      ...{ folder, found: names, isBoot, wereMissed, seenIn: memory.seenIn },
      gone: gone.filter((name) => catalog.server(name)),
    });
    applyAbsence(absence);
    // Servers that another process removed, or whose file was never usable.
    const unstored = gone.filter((name) => !catalog.server(name));
    const withoutFile = new Set([...absence.missed, ...absence.unwritten]);
    serveFromStored(
      deps,
      catalog.servers().filter(({ name }) => folder === undefined || withoutFile.has(name)),
    );
    const failure = await reconcileAll(found, [...absence.removed, ...unstored], absence.unwritten);
    if (failure === undefined) isBoot = false;
    else log.warn({ reason: failure }, 'Not every config file could be applied; trying again soon.');
    if (folder === undefined) return;
    memory.deleteUnknown((name) => expected.has(name) || found.has(name));
    await memory.record(names, folder, problem !== undefined);
  }

  /** The folder and its files; reads again when the folder was exchanged meanwhile. */
  async function readFolder(): Promise<{
    folder: string | undefined;
    found: ReadonlyMap<string, ConfigFile>;
  }> {
    const folder = await files.folder();
    const found = await files.readAll();
    if ((await files.folder()) !== folder) return await readFolder();
    return found ? { folder, found } : { folder: undefined, found: new Map() };
  }

  /** Names that should have a file: every server, and every file that had a problem. */
  function expectedNames(): Set<string> {
    const stored = isBoot ? catalog.servers().map(({ name }) => name) : [];
    return new Set([...known.withFile, ...known.current.keys(), ...known.problems.keys(), ...stored]);
  }

  /** Resolves with the reason of a failure, if any. */
  async function reconcileAll(
    found: ReadonlyMap<string, ConfigFile>,
    removed: readonly string[],
    unwritten: readonly string[],
  ): Promise<string | undefined> {
    const failures = await Promise.all([
      ...[...found].map(([name, file]) => attempt(name, () => reconcileFile(deps, name, file))),
      ...removed.map((name) => attempt(name, () => reconcileRemoval(deps, name))),
      ...unwritten.map((name) => attempt(name, () => reconcileUnwritten(deps, name))),
    ]);
    return failures.find((reason) => reason !== undefined);
  }

  /** Resolves with the reason of a failure. A server with an operation under way is left for the next pass. */
  async function attempt(name: string, work: () => Promise<void>): Promise<string | undefined> {
    if (deps.isOutdated(name)) return undefined;
    try {
      await locks.run(name, work);
      return undefined;
    } catch (error) {
      return toFailure(error).message;
    }
  }

  /** Registering a server of a missed file with the same content writes the file. */
  function applyAbsence(absence: Absence): void {
    for (const name of absence.missed) known.withFile.delete(name);
    const before = problem;
    problem = absence.problem;
    if (before?.sentence === problem?.sentence) return;
    if (problem === undefined) log.info({}, 'No config file is missed any more.');
    else if (problem.kind !== before?.kind) log.warn({ servers: absence.missed }, problem.sentence);
    const [concerned = ''] = [...absence.missed, ...known.current.keys()];
    bus.publish({ type: 'tools', name: concerned });
  }

  function begin(): Promise<void> {
    current = reconcileOnce()
      .catch((error: unknown) =>
        log.error({ error: String(error) }, 'The config files could not be reconciled.'),
      )
      .finally(() => {
        current = undefined;
      });
    return current;
  }

  return {
    reconcile() {
      if (!current) return begin();
      next ??= current.then(() => {
        next = undefined;
        return begin();
      });
      return next;
    },
    async idle() {
      await (next ?? current);
    },
    folderProblem: () => problem?.sentence,
  };
}
