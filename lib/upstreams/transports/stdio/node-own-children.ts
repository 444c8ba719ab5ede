import { until } from '../../../async/wait.ts';
import { findMarked, processIdentity, signalProcess } from './node-marked-processes.ts';

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

const gentleMs = 500;
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
