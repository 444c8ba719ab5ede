/** The process group of a detached child: ask whether somebody is left in it, end it. */
import { readdirSync, readFileSync } from 'node:fs';

/** Sends SIGKILL to every process of the group; nothing happens when none is left. */
export function endGroup(groupId: number | undefined): void {
  if (groupId === undefined) return;
  try {
    process.kill(-groupId, 'SIGKILL');
  } catch {
    // The group is empty.
  }
}

/** Zombies do not count: they have ended and only wait to be reaped by somebody else. */
export function isGroupAlive(groupId: number): boolean {
  return isThere(-groupId) && livingMembers(groupId).length > 0;
}

/** Whether the group's first process is the only one that lives in it. */
export function isAlone(groupId: number): boolean {
  return livingMembers(groupId).every((pid) => pid === String(groupId));
}

function livingMembers(groupId: number): string[] {
  return readdirSync('/proc').filter((entry) => /^\d+$/.test(entry) && isLivingMember(entry, groupId));
}

/** Spares the walk over all processes where the group is empty already. */
function isThere(target: number): boolean {
  try {
    process.kill(target, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/** Whether the process lives, as opposed to being gone or a zombie. */
export function isAlive(pid: number): boolean {
  return stateAndGroup(String(pid)) !== undefined;
}

function isLivingMember(pid: string, groupId: number): boolean {
  return stateAndGroup(pid)?.groupId === groupId;
}

/** Fields 3 and 5 of `/proc/<pid>/stat`, after the command, which may hold spaces and brackets. */
function stateAndGroup(pid: string): { groupId: number } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const [state, , groupId] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return state === 'Z' || state === 'X' ? undefined : { groupId: Number(groupId) };
  } catch {
    return undefined;
  }
}
