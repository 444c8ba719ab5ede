import type { ConfigFile } from '../../config/config-files.ts';
import { toFailure } from '../../failure.ts';
import { createFolderMemory } from './folder-memory.ts';
import { type Absence, type FolderProblem, judgeAbsence } from './judge-absence.ts';
import {
  type ReconcileDependencies,
  reconcileFile,
  reconcileRemoval,
  reconcileUnwritten,
  serveFromStored,
} from './reconcile-configs.ts';

/**
 * Looks at the config files, one look at a time: a change that is noticed during one gets another. A server without a
 * file is deregistered, or goes on, as `judge-absence.ts` says; the look at boot also misses the files of stored servers.
 */
export interface Reconciler {
  /** Resolves after a look that began after this call. Never rejects. */
  look(): Promise<void>;
  /** Resolves when no look is under way or waits for one. */
  idle(): Promise<void>;
  /** What is wrong with the folder as a whole, in a sentence. */
  folderProblem(): string | undefined;
}

export function createReconciler(
  deps: ReconcileDependencies & { readonly onLookBegins: () => void },
): Reconciler {
  const { catalog, files, known, locks, bus, log } = deps;
  const memory = createFolderMemory(deps);
  let isBoot = true;
  let problem: FolderProblem | undefined;
  let current: Promise<void> | undefined;
  let next: Promise<void> | undefined;

  async function lookOnce(): Promise<void> {
    deps.onLookBegins();
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
    note(absence);
    // Another process removed them, or none could ever be made of their file.
    const unstored = gone.filter((name) => !catalog.server(name));
    const goOn = new Set([...absence.missed, ...absence.unwritten]);
    serveFromStored(
      deps,
      catalog.servers().filter(({ name }) => folder === undefined || goOn.has(name)),
    );
    const failure = await takeOver(found, [...absence.removed, ...unstored], absence.unwritten);
    if (failure === undefined) isBoot = false;
    else log.warn({ reason: failure }, 'Not every config file could be taken over; trying again soon.');
    if (folder === undefined) return;
    memory.forget((name) => expected.has(name) || found.has(name));
    await memory.note(names, folder, problem !== undefined);
  }

  /** The folder, and the files that are in this very one. */
  async function readFolder(): Promise<{
    folder: string | undefined;
    found: ReadonlyMap<string, ConfigFile>;
  }> {
    const folder = await files.folder();
    const found = await files.readAll();
    if ((await files.folder()) !== folder) return await readFolder();
    return found ? { folder, found } : { folder: undefined, found: new Map() };
  }

  /** Every server has a file, and what has a problem had one. */
  function expectedNames(): Set<string> {
    const stored = isBoot ? catalog.servers().map(({ name }) => name) : [];
    return new Set([...known.withFile, ...known.current.keys(), ...known.problems.keys(), ...stored]);
  }

  async function takeOver(
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

  /** Why it did not work out, in a sentence. A server that is being worked on is left for the next look. */
  async function attempt(name: string, work: () => Promise<void>): Promise<string | undefined> {
    if (deps.isOutdated(name)) return undefined;
    try {
      await locks.mutex(name, work);
      return undefined;
    } catch (error) {
      return toFailure(error).message;
    }
  }

  /** A registration of the same content writes the files of those that are missed. */
  function note(absence: Absence): void {
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
    current = lookOnce()
      .catch((error: unknown) =>
        log.error({ error: String(error) }, 'The config files could not be looked at.'),
      )
      .finally(() => {
        current = undefined;
      });
    return current;
  }

  return {
    look() {
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
