import { readdirSync, readFileSync } from 'node:fs';

/**
 * Children carry a mark in their environment, which theirs inherit, whatever group or session they move to: the
 * installation and the process that owns them. Found again under /proc; where there is none, nothing is found.
 */
const installationName = 'SVC_MCP_OWNER';
const processName = 'SVC_MCP_OWNER_PROCESS';

export interface MarkedProcess {
  readonly pid: number;
  /** What `processIdentity` said of its owner. */
  readonly owner: string;
}

/** What each child gets in its environment. */
export function ownerMarkers(installationId: string): Record<string, string> {
  return { [installationName]: installationId, [processName]: processIdentity(process.pid) };
}

/** The line of their environment that our children have in common with nobody else's. */
export function ownMark(): string {
  return `${processName}=${processIdentity(process.pid)}`;
}

/** Those of the installation, whoever owns them. Takes some milliseconds per hundred processes of the machine. */
export function findMarked(installationId: string): MarkedProcess[] {
  return processIds().flatMap((pid) => {
    if (pid === process.pid) return [];
    // Unreadable ones are not ours: other users', or gone meanwhile.
    const variables = readIfThere(`/proc/${pid}/environ`).split('\0');
    if (!variables.includes(`${installationName}=${installationId}`)) return [];
    const owner = variables.find((variable) => variable.startsWith(`${processName}=`));
    return [{ pid, owner: owner?.slice(processName.length + 1) ?? '' }];
  });
}

/** A pid alone may be used again; with its start time it names one process for ever. */
export function processIdentity(pid: number): string {
  const stat = readIfThere(`/proc/${pid}/stat`);
  // The second field is the program's name in parentheses and may hold spaces; field 22 is the start time.
  const startTime = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? 'unknown';
  return `${pid}-${startTime}`;
}

export function signalProcess(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended by itself.
  }
}

function processIds(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
