import type { ChildProcess } from 'node:child_process';
import { until } from '../../../async/wait.ts';

/**
 * Ends a child and all its descendants. Children lead their own process group (`detached`), so a signal to the group
 * reaches grandchildren that outlive their parent, as wrappers such as npx leave them.
 */
const gentleMs = 1000;
const firmMs = 2000;

/** Closes the child's input, sends SIGTERM after 1 s and SIGKILL after 2 s more; resolves when the group is gone. */
export async function endProcessGroup(child: ChildProcess): Promise<void> {
  const group = child.pid;
  if (group === undefined) return;
  child.stdin?.end();
  if (!hasExited(child)) await goneWithin(group, gentleMs, () => hasExited(child));
  if (!signalGroup(group, 'SIGTERM')) return;
  if (await goneWithin(group, firmMs)) return;
  signalGroup(group, 'SIGKILL');
  await goneWithin(group, firmMs);
}

function hasExited(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

function goneWithin(group: number, milliseconds: number, isEarly = () => false): Promise<boolean> {
  return until(() => isEarly() || !signalGroup(group, 0), milliseconds);
}

/** False when no process of the group is left. */
function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-group, signal);
  } catch (error) {
    // EPERM: a process of the group runs as another user; it is not gone, but cannot be signalled.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
