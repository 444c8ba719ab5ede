import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file system of its own that is soon full, in memory. */
export interface SmallDisk {
  readonly path: string;
  /** Takes all the room that is left. */
  fill(): void;
  /** Gives it back. */
  empty(): void;
  remove(): void;
}

/** Undefined, after one line that says so, where this user may not mount one. */
export function mountSmallDisk(megabytes: number, owner?: 'postgres'): SmallDisk | undefined {
  const path = mkdtempSync(join(tmpdir(), 'svc-mcp-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', path], { stdio: 'ignore' });
  } catch {
    rmdirSync(path);
    console.error('a full disk: skipped, this user cannot mount a file system');
    return undefined;
  }
  if (owner !== undefined) execFileSync('chown', [owner, path]);
  const ballast = join(path, 'ballast');
  return {
    path,
    fill() {
      for (const size of [1_048_576, 4096]) addUntilFull(ballast, size);
    },
    empty: () => rmSync(ballast, { force: true }),
    remove() {
      execFileSync('umount', ['--lazy', path]);
      rmdirSync(path);
    },
  };
}

function addUntilFull(path: string, size: number): void {
  try {
    for (;;) writeFileSync(path, Buffer.alloc(size), { flag: 'a' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}
