/** Processes as Linux shows them under /proc: which children a service has, and whether one is still there. */
import { readdirSync, readFileSync } from 'node:fs';

/** Ids of the children of `parent` whose command line holds `part`, ascending. */
export function childrenOf(parent: number, part: string): number[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number)
    .filter(
      (pid) => parentOf(pid) === parent && readOrEmpty(pid, 'cmdline').split('\0').join(' ').includes(part),
    )
    .sort((a, b) => a - b);
}

/** A zombie has ended: its parent has only not asked yet. */
export function isAlive(pid: number): boolean {
  const [state] = statOf(pid);
  return state !== undefined && state !== 'Z' && state !== 'X';
}

function parentOf(pid: number): number {
  return Number(statOf(pid)[1]);
}

/** The fields after the program's name, which stands in parentheses and may hold spaces. */
function statOf(pid: number): string[] {
  const stat = readOrEmpty(pid, 'stat');
  return stat === '' ? [] : stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

function readOrEmpty(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    return '';
  }
}
