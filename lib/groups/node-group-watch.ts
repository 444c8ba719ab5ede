import { type FSWatcher, watch } from 'node:fs';
import { stat } from 'node:fs/promises';
import { isGroupName } from '../catalog/names.ts';
import type { Log } from '../observe/log.ts';
import { gather } from './gather.ts';

/**
 * Tells which group files may have changed. File events come within milliseconds but not from everywhere (bind
 * mounts, network file systems), so all files are also read again every few seconds. Directly on `fs.watch`:
 * chokidar drops a change that follows another one within 50 ms, and with it the last state of the file. Only
 * the folder is watched, so nothing that lies in it is ever opened.
 */
export interface GroupWatch {
  close(): void;
}

export interface GroupWatchDeps {
  readonly directory: string;
  readonly onChange: (name: string) => Promise<void>;
  /** Read everything again: once watching began, and from time to time. */
  readonly onRescan: () => Promise<void>;
  readonly rescanEveryMs: number;
  readonly log: Log;
}

/** Editors save in several steps; reading waits until they are likely over. */
const settleMs = 30;

export function watchGroupFiles(deps: GroupWatchDeps): GroupWatch {
  const { directory, onChange, onRescan, rescanEveryMs, log } = deps;
  let watcher: FSWatcher | undefined;
  let watched: number | undefined;
  let closed = false;
  const changed = gather(settleMs, (names) => {
    for (const name of names) onChange(name).catch(report);
  });
  const rescans = setInterval(() => rescan().catch(report), rescanEveryMs);
  rescans.unref();
  rescan().catch(report);

  async function rescan(): Promise<void> {
    const inode = await stat(directory).then(
      (found) => found.ino,
      () => undefined,
    );
    if (closed) return;
    if (inode !== watched) attach(inode);
    await onRescan();
  }

  /** A watcher goes blind with its folder; another folder of the same name needs a new one. */
  function attach(inode: number | undefined): void {
    watcher?.close();
    watcher = undefined;
    watched = inode;
    if (inode === undefined) return;
    try {
      watcher = watch(directory, { persistent: false }, (_event, file) => {
        const name = file?.endsWith('.json') ? file.slice(0, -'.json'.length) : '';
        if (isGroupName(name)) changed.add(name);
      });
      watcher.on('error', report);
    } catch (error) {
      report(error);
    }
  }

  function report(error: unknown): void {
    log.warn({ reason: (error as NodeJS.ErrnoException).code }, 'the groups folder is seen by rescans only');
  }

  return {
    close() {
      closed = true;
      clearInterval(rescans);
      changed.stop();
      watcher?.close();
    },
  };
}
