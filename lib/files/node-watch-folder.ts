import { type FSWatcher, watch } from 'node:fs';
import { stat } from 'node:fs/promises';
import { debounceNames } from '../async/debounce-names.ts';
import type { Log } from '../log.ts';
import { jsonNameOf } from './node-folder.ts';
import { swapLink, swappedVersion } from './node-linked-file.ts';

/**
 * Reports which `*.json` files of one folder may have changed. Events arrive within milliseconds but not from
 * everywhere (bind mounts, network shares), so a periodic rescan counts everything as changed. Directly on `fs.watch`:
 * chokidar drops a change that follows another one within 50 ms, and with it the last state of the file
 * (docs/decisions/0007). Only the folder is watched, so no file in it is ever opened. A folder that replaces the watched
 * one (a restore, a checkout, a link that leads elsewhere) causes no event, so the folder's identity is polled. A folder
 * whose files get another version all at once (`node-linked-file.ts`) counts as another one.
 */
export interface FolderWatch {
  close(): void;
}

export interface FolderWatchOptions {
  readonly folder: string;
  /** The files' names without `.json`. */
  readonly onChange: (names: readonly string[]) => void;
  /** Anything may have changed: called once watching began, when the folder was replaced, and periodically. */
  readonly onRescan: () => void;
  readonly rescanEveryMs?: number;
  readonly log: Log;
}

/** Editors save in several steps; reading waits until they are likely over. */
const settleMs = 30;

const defaultRescanEveryMs = 5_000;

/** Leaves most of a second to read the new folder. */
const pollEveryMs = 250;

/** Resolves once changes are detected, as far as the system reports them. */
export async function watchFolder(options: FolderWatchOptions): Promise<FolderWatch> {
  const { folder, onChange, onRescan, rescanEveryMs = defaultRescanEveryMs, log } = options;
  let watcher: FSWatcher | undefined;
  let watched: string | undefined;
  let isClosed = false;
  let isPolling = false;
  const changed = debounceNames(settleMs, onChange);
  const swapped = debounceNames(settleMs, () => void followFolder());

  async function rescan(): Promise<void> {
    await poll();
    if (!isClosed) onRescan();
  }

  /** Resolves with whether another folder is there now. On a share that hangs only one poll waits. */
  async function poll(): Promise<boolean> {
    if (isPolling) return false;
    isPolling = true;
    const found = await identityOf(folder);
    isPolling = false;
    if (isClosed || found === watched) return false;
    attach(found);
    return true;
  }

  async function followFolder(): Promise<void> {
    if (await poll()) onRescan();
  }

  /** A watcher reports nothing once its folder is gone; another folder of the same name needs a new watcher. */
  function attach(identity: string | undefined): void {
    watcher?.close();
    watcher = undefined;
    watched = identity;
    if (identity === undefined) return;
    try {
      watcher = watch(folder, { persistent: false }, (_event, file) => {
        const name = jsonNameOf(file ?? '');
        if (name !== undefined) changed.add(name);
        if (file === swapLink) swapped.add(file);
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
  const timers = [setInterval(rescan, rescanEveryMs), setInterval(followFolder, pollEveryMs)];
  for (const timer of timers) timer.unref();
  return {
    close() {
      isClosed = true;
      for (const timer of timers) clearInterval(timer);
      changed.stop();
      swapped.stop();
      watcher?.close();
    },
  };
}

/** Inode numbers are reused, so the time of birth tells a recreated folder. */
async function identityOf(folder: string): Promise<string | undefined> {
  const version = await swappedVersion(folder);
  return stat(folder, { bigint: true }).then(
    ({ dev, ino, birthtimeNs }) => `${dev}:${ino}:${birthtimeNs}:${version ?? ''}`,
    () => undefined,
  );
}
