import { toFailure } from '../http/failure.ts';
import type { ConfigFile } from './config-files.ts';
import {
  type ReconcileParts,
  reconcileFile,
  reconcileRemoval,
  serveFromStored,
} from './reconcile-configs.ts';

/**
 * Looks at the config files, one look at a time: a change that is noticed during one gets another. The look at
 * boot also drops stored servers without a file, but only when the folder is there; later ones only miss files
 * that were seen before.
 */
export interface Reconciler {
  /** Resolves after a look that began after this call. Never rejects. */
  look(): Promise<void>;
}

export function createReconciler(parts: ReconcileParts & { readonly onLookBegins: () => void }): Reconciler {
  const { catalog, files, known, locks, log } = parts;
  let isBoot = true;
  let isFolderMissing = false;
  let current: Promise<void> | undefined;
  let next: Promise<void> | undefined;

  async function lookOnce(): Promise<void> {
    parts.onLookBegins();
    const found = await files.readAll();
    noteFolder(found === undefined);
    if (!found) {
      isBoot = false;
      return serveFromStored(parts);
    }
    const gone = [...missingFrom(found)];
    const failures = await Promise.all([
      ...[...found].map(([name, file]) => attempt(name, () => reconcileFile(parts, name, file))),
      ...gone.map((name) => attempt(name, () => reconcileRemoval(parts, name))),
    ]);
    const failure = failures.find((reason) => reason !== undefined);
    if (failure === undefined) isBoot = false;
    else log.warn({ reason: failure }, 'Not every config file could be taken over; trying again soon.');
  }

  function missingFrom(found: ReadonlyMap<string, ConfigFile>): Set<string> {
    const expected = new Set(known.withFile);
    if (isBoot) for (const server of catalog.servers()) expected.add(server.name);
    return new Set([...expected].filter((name) => !found.has(name)));
  }

  /** Why it did not work out, in a sentence. A server that is being worked on is left for the next look. */
  async function attempt(name: string, work: () => Promise<void>): Promise<string | undefined> {
    if (parts.isOutdated(name)) return undefined;
    try {
      await locks.inTurn(name, work);
      return undefined;
    } catch (error) {
      return toFailure(error).message;
    }
  }

  function noteFolder(isMissing: boolean): void {
    if (isMissing && !isFolderMissing) {
      log.warn({}, 'The folder of registration configs cannot be read; stored servers go on without it.');
    }
    isFolderMissing = isMissing;
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
  };
}
