import { readdirSync, readFileSync } from 'node:fs';
import { pause, until } from '../../../async/wait.ts';

/**
 * Child processes have markers in their environment, which their own children inherit in whatever process group or session:
 * the installation, and the process that owns them. They are found under /proc; on systems without it, none is found.
 */
const installationName = 'SVC_MCP_OWNER';
const processName = 'SVC_MCP_OWNER_PROCESS';

export interface MarkedProcess {
  readonly pid: number;
  /** The `processIdentity` of its owner. */
  readonly owner: string;
}

/** Variables for the environment of each child. */
export function ownerMarkers(installationId: string): Record<string, string> {
  return { [installationName]: installationId, [processName]: processIdentity(process.pid) };
}

/** The environment variable that only children of this process have. */
export function ownMark(): string {
  return `${processName}=${processIdentity(process.pid)}`;
}

/** All processes of the installation. Takes some milliseconds per hundred processes of the machine. */
export function findMarked(installationId: string): MarkedProcess[] {
  return processIds().flatMap((pid) => {
    if (pid === process.pid) return [];
    // Unreadable processes are another user's, or gone.
    const variables = readIfThere(`/proc/${pid}/environ`).split('\0');
    if (!variables.includes(`${installationName}=${installationId}`)) return [];
    const owner = variables.find((variable) => variable.startsWith(`${processName}=`));
    return [{ pid, owner: owner?.slice(processName.length + 1) ?? '' }];
  });
}

/** A pid alone may be used again; with the start time it identifies one process for ever. */
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

const gentleMs = 500;

/**
 * Ends the children of a service that was killed with `kill -9`: SIGTERM, then SIGKILL. Most end themselves when their
 * input closes, and the guard that ends the others (`node-child-guard.ts`) may have been killed as well. A child is an
 * orphan only when its owner is gone, so that services of one installation do not end each other's children.
 * @returns the number of orphans.
 */
export async function reapOrphans(installationId: string): Promise<number> {
  const orphans = findMarked(installationId).filter(isOrphan);
  for (const { pid } of orphans) signalProcess(pid, 'SIGTERM');
  if (orphans.length === 0) return 0;
  await pause(gentleMs);
  // Searched again, because a pid may belong to another process by now.
  for (const { pid } of findMarked(installationId).filter(isOrphan)) signalProcess(pid, 'SIGKILL');
  return orphans.length;
}

function isOrphan({ owner }: MarkedProcess): boolean {
  return owner !== processIdentity(Number.parseInt(owner, 10));
}

/**
 * Every process that this one started, and their descendants.
 */
export interface OwnChildren {
  /** Ends the remaining ones: SIGTERM, then SIGKILL. Resolves when they are gone. */
  end(): Promise<void>;
  /** Kills all with SIGKILL before returning. @param groups Process groups that are known without a search. */
  killNow(groups: readonly number[]): void;
}

const firmMs = 1_000;
/** Processes may start others while they are being killed. */
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
