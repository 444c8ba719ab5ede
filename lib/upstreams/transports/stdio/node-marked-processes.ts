import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { until } from '../../../async/until.ts';

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

/**
 * Ends the children of a service that was killed with `kill -9`. Most see their input close and go, and what ends the
 * others then (`node-child-guard.ts`) may have been killed as well. A child is an orphan only when the process that owned
 * it is gone, so that two services of one installation (several processes on one database) leave each other's alone.
 */
const gentleMs = 500;

/** Ends them (SIGTERM, then SIGKILL) and says how many there were. */
export async function reapOrphans(installationId: string): Promise<number> {
  const orphans = findMarked(installationId).filter(isOrphan);
  for (const { pid } of orphans) signalProcess(pid, 'SIGTERM');
  if (orphans.length === 0) return 0;
  await pause(gentleMs);
  // Looked for again, because a number may belong to another process by now.
  for (const { pid } of findMarked(installationId).filter(isOrphan)) signalProcess(pid, 'SIGKILL');
  return orphans.length;
}

function isOrphan({ owner }: MarkedProcess): boolean {
  return owner !== processIdentity(Number.parseInt(owner, 10));
}

/**
 * Every process that this one started, and those that they started, in whichever process group or session. Where there
 * is no /proc none is found.
 */
export interface OwnChildren {
  /** Ends those that are left: SIGTERM, then SIGKILL. Resolves when they are gone. */
  end(): Promise<void>;
  /** SIGKILL to all of them, before this returns. @param groups Of processes that are known anyway. */
  killNow(groups: readonly number[]): void;
}

const firmMs = 1_000;
/** A process may start another one while they are killed. */
const killRounds = 3;

export function createOwnChildren(installationId: string): OwnChildren {
  const own = processIdentity(process.pid);
  const find = () => findMarked(installationId).filter(({ owner }) => owner === own);
  const areGone = () => find().length === 0;

  return {
    async end() {
      for (const [signal, waitMs] of [
        ['SIGTERM', gentleMs],
        ['SIGKILL', firmMs],
      ] as const) {
        for (const { pid } of find()) signalProcess(pid, signal);
        if (await until(areGone, waitMs)) return;
      }
    },
    killNow(groups) {
      for (const group of groups) signalProcess(-group, 'SIGKILL');
      for (let round = 0; round < killRounds; round += 1) {
        for (const { pid } of find()) signalProcess(pid, 'SIGKILL');
      }
    },
  };
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
