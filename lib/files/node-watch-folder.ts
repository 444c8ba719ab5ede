import { type FSWatcher, watch } from 'node:fs';
import { stat } from 'node:fs/promises';
import { gather } from '../events/gather.ts';
import type { Log } from '../observe/log.ts';
import { jsonNameOf } from './node-json-names.ts';

/**
 * Tells which `*.json` files of one folder may have changed. Events come within milliseconds but not from
 * everywhere (bind mounts, network shares), so now and then everything counts as changed. Directly on `fs.watch`:
 * chokidar drops a change that follows another one within 50 ms, and with it the last state of the file
 * (docs/decisions/0007). Only the folder is watched, so nothing that lies in it is ever opened.
 */
export interface FolderWatch {
  close(): void;
}

export interface FolderWatchOptions {
  readonly folder: string;
  /** The files' names without `.json`. */
  readonly onChange: (names: readonly string[]) => void;
  /** Anything may have changed: called once watching began, and from time to time. */
  readonly onRescan: () => void;
  readonly rescanEveryMs?: number;
  readonly log: Log;
}

/** Editors save in several steps; reading waits until they are likely over. */
const settleMs = 30;

const defaultRescanEveryMs = 5_000;

/** Resolves once changes are noticed, as far as the system tells of them. */
export async function watchFolder(options: FolderWatchOptions): Promise<FolderWatch> {
  const { folder, onChange, onRescan, rescanEveryMs = defaultRescanEveryMs, log } = options;
  let watcher: FSWatcher | undefined;
  let watched: string | undefined;
  let isClosed = false;
  const changed = gather(settleMs, onChange);

  async function rescan(): Promise<void> {
    const found = await identityOf(folder);
    if (isClosed) return;
    if (found !== watched) attach(found);
    onRescan();
  }

  /** A watcher goes blind with its folder; another folder of the same name needs a new one. */
  function attach(identity: string | undefined): void {
    watcher?.close();
    watcher = undefined;
    watched = identity;
    if (identity === undefined) return;
    try {
      watcher = watch(folder, { persistent: false }, (_event, file) => {
        const name = jsonNameOf(file ?? '');
        if (name !== undefined) changed.add(name);
      });
      watcher.on('error', report);
    } catch (error) {
      report(error);
    }
  }

  function report(error: unknown): void {
    log.warn({ reason: (error as NodeJS.ErrnoException).code }, 'changed files are found by rescans only');
  }

  await rescan();
  const rescans = setInterval(rescan, rescanEveryMs);
  rescans.unref();
  return {
    close() {
      isClosed = true;
      clearInterval(rescans);
      changed.stop();
      watcher?.close();
    },
  };
}

/** Inode numbers are used again, so a folder that was made anew is told by its birth. */
async function identityOf(folder: string): Promise<string | undefined> {
  return stat(folder, { bigint: true }).then(
    ({ dev, ino, birthtimeNs }) => `${dev}:${ino}:${birthtimeNs}`,
    () => undefined,
  );
}
