import { pause } from '../../../async/wait.ts';
import { findMarked, type MarkedProcess, processIdentity, signalProcess } from './node-marked-processes.ts';

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
