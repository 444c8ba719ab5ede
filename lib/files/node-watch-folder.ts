import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type FSWatcher, watch } from 'chokidar';

/**
 * Notices changes of the `*.json` files in one folder. Only says that something changed; what, is for the reader
 * to find out. A slow rescan covers file systems that report nothing (bind mounts, network shares) and a folder
 * that is missing, or is taken away and comes back.
 */
export interface FolderWatch {
  close(): Promise<void>;
}

export interface FolderWatchOptions {
  readonly folder: string;
  readonly onChange: () => void;
  /** Editors and atomic writers raise several events for one change. */
  readonly settleMs?: number;
  readonly rescanMs?: number;
}

/** Resolves once changes are noticed. */
export async function watchFolder(options: FolderWatchOptions): Promise<FolderWatch> {
  const { onChange, settleMs = 30, rescanMs = 5_000 } = options;
  const folder = resolve(options.folder);
  let watcher: FSWatcher | undefined;
  let settling: NodeJS.Timeout | undefined;

  const soon = () => {
    settling ??= setTimeout(() => {
      settling = undefined;
      onChange();
    }, settleMs);
  };
  const attach = async () => {
    if (watcher || !(await isFolder(folder))) return;
    watcher = await startWatcher(folder, soon, () => {
      void watcher?.close();
      watcher = undefined;
    });
  };

  await attach();
  const rescan = setInterval(() => void attach().then(onChange), rescanMs);
  rescan.unref();
  return {
    async close() {
      clearInterval(rescan);
      clearTimeout(settling);
      await watcher?.close();
    },
  };
}

async function startWatcher(folder: string, onEvent: () => void, onLost: () => void): Promise<FSWatcher> {
  const watcher = watch(folder, {
    depth: 0,
    ignoreInitial: true,
    followSymlinks: false,
    ignored: (path) => path !== folder && !path.endsWith('.json'),
  });
  watcher.on('all', (event, path) => {
    if (event === 'unlinkDir' && path === folder) onLost();
    onEvent();
  });
  await new Promise<void>((done) => {
    watcher.once('ready', done);
    // Out of watches, no permission: the rescan still sees every change.
    watcher.on('error', () => done());
  });
  return watcher;
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
