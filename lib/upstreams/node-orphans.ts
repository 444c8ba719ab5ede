import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * Finds and ends the children of a service that was killed with `kill -9`. Most see their input close and go;
 * those that ignore it carry a marker in their environment: the installation and the process that owned them. A
 * child is an orphan only when that process is gone, so that two services of one installation (several processes
 * on one database) leave each other's children alone. Where there is no /proc, nothing is found.
 */
const installationName = 'SVC_MCP_OWNER';
const processName = 'SVC_MCP_OWNER_PROCESS';
const gentleMs = 500;

/** What each child gets in its environment. */
export function ownerMarkers(installationId: string): Record<string, string> {
  return { [installationName]: installationId, [processName]: processIdentity(process.pid) };
}

/** Ends them (SIGTERM, then SIGKILL) and says how many there were. */
export async function reapOrphans(installationId: string): Promise<number> {
  const orphans = await findOrphans(installationId);
  for (const pid of orphans) signal(pid, 'SIGTERM');
  if (orphans.length > 0) await pause(gentleMs);
  // Looked for again, because a number may belong to another process by now.
  for (const pid of await findOrphans(installationId)) signal(pid, 'SIGKILL');
  return orphans.length;
}

async function findOrphans(installationId: string): Promise<number[]> {
  const entries = await readdir('/proc').catch(() => []);
  const orphans: number[] = [];
  for (const entry of entries) {
    const pid = Number(entry);
    if (Number.isInteger(pid) && pid !== process.pid && (await isOrphan(pid, installationId)))
      orphans.push(pid);
  }
  return orphans;
}

async function isOrphan(pid: number, installationId: string): Promise<boolean> {
  // Unreadable ones are not ours: other users', or gone meanwhile.
  const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
  const variables = environment.split('\0');
  if (!variables.includes(`${installationName}=${installationId}`)) return false;
  const owner = variables.find((variable) => variable.startsWith(`${processName}=`));
  const identity = owner?.slice(processName.length + 1) ?? '';
  return identity !== processIdentity(Number.parseInt(identity, 10));
}

/** A pid alone may be used again; with its start time it names one process for ever. */
function processIdentity(pid: number): string {
  const stat = readIfThere(`/proc/${pid}/stat`);
  // The second field is the program's name in parentheses and may hold spaces; field 22 is the start time.
  const startTime = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? 'unknown';
  return `${pid}-${startTime}`;
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended by itself.
  }
}
