import { basename } from 'node:path';
import { watch } from 'chokidar';
import type { Log } from '../observe/log.ts';
import { gather } from './gather.ts';

/**
 * Tells which group files may have changed. File events come within milliseconds but not from everywhere (bind
 * mounts, network file systems), so all files are also read again every few seconds.
 */
export interface GroupWatch {
  close(): Promise<void>;
}

export interface GroupWatchDeps {
  readonly directory: string;
  readonly onChange: (name: string) => Promise<void>;
  /** Read everything again: at the start of watching, and from time to time. */
  readonly onRescan: () => Promise<void>;
  readonly rescanEveryMs: number;
  readonly log: Log;
}

/** Editors save in several steps; reading waits until they are likely over. */
const settleMs = 30;

export function watchGroupFiles(deps: GroupWatchDeps): GroupWatch {
  const { directory, onChange, onRescan, rescanEveryMs, log } = deps;
  const changed = gather(settleMs, (names) => {
    for (const name of names) guard(onChange(name));
  });
  const watcher = watch(directory, {
    depth: 0,
    followSymlinks: false,
    ignoreInitial: true,
    atomic: false,
    ignored: (path) => path !== directory && !path.endsWith('.json'),
  });
  watcher.on('all', (_event, path) => {
    if (path.endsWith('.json')) changed.add(basename(path, '.json'));
  });
  watcher.on('ready', () => guard(onRescan()));
  watcher.on('error', (error) => log.warn({ reason: errorCode(error) }, 'watching the groups folder failed'));
  const rescans = setInterval(() => guard(onRescan()), rescanEveryMs);
  rescans.unref();

  function guard(work: Promise<void>): void {
    work.catch((error) => log.error({ reason: errorCode(error) }, 'reading the groups folder failed'));
  }

  return {
    async close() {
      clearInterval(rescans);
      changed.stop();
      await watcher.close();
    },
  };
}

function errorCode(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? (error as Error).message;
}
