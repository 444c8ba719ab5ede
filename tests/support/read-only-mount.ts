import { execFileSync } from 'node:child_process';

/**
 * Mounts a folder read-only over itself, as a volume is. Returns the function that ends it; undefined, after one line that
 * says so, where this user may not mount.
 */
export function mountReadOnly(folder: string): (() => void) | undefined {
  const run = (command: string, ...args: string[]) => execFileSync(command, args, { stdio: 'ignore' });
  try {
    run('mount', '--bind', folder, folder);
  } catch {
    console.error('a folder that is mounted read-only: skipped, this user cannot mount one');
    return undefined;
  }
  run('mount', '-o', 'remount,bind,ro', folder);
  return () => run('umount', '--lazy', folder);
}
