import { createBackOff } from '../async/back-off.ts';
import type { Log } from '../log.ts';
import { refused, type VaultClient } from './vault-client.ts';

/**
 * Keeps the token of the secrets manager alive: it has a time to live, and after that every read is denied. Renews
 * it at the start, and again whenever a third of what is left is over. What stands in the way is logged once and
 * tried again: a manager that comes back in time finds the token renewed. Getting another token is left to whoever
 * gave us this one.
 */
export function renewVaultToken({
  client,
  log,
}: {
  readonly client: VaultClient;
  readonly log: Log;
}): VaultTokenRenewal {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isStopped = false;
  let lastProblem: string | undefined;
  const backOff = createBackOff(retryPauses);

  const keepAfter = (milliseconds: number) => {
    if (!isStopped) timer = setTimeout(keep, milliseconds);
  };

  async function keep(): Promise<void> {
    try {
      const lease = await renew(client);
      report(lease.isEnding ? 'its time is up soon; give the service a new one' : undefined);
      backOff.reset();
      if (lease.renewsAgain) keepAfter(within(waitMs, (lease.seconds * 1000) / 3));
    } catch (error) {
      report(error instanceof Error ? error.message : String(error));
      keepAfter(backOff.next());
    }
  }

  function report(problem: string | undefined): void {
    if (problem !== undefined && problem !== lastProblem && !isStopped) {
      log.warn({ reason: problem }, 'The token of the secrets manager cannot be renewed.');
    }
    lastProblem = problem;
  }

  void keep();
  return {
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

export interface VaultTokenRenewal {
  stop(): void;
}

const waitMs = { least: 1000, most: 86_400_000 };
const retryPauses = { firstMs: 1000, longestMs: 60_000 };

function within({ least, most }: typeof waitMs, milliseconds: number): number {
  return Math.min(Math.max(milliseconds, least), most);
}

interface Lease {
  readonly seconds: number;
  readonly renewsAgain: boolean;
  /** It has less than it was made with and gets no more: not renewable at all, or close to its longest life. */
  readonly isEnding: boolean;
}

async function renew(client: VaultClient): Promise<Lease> {
  const found = await client.send('GET', 'auth/token/lookup-self');
  if (found.status !== 200) throw refused(found);
  const left = toSeconds(found.data?.ttl);
  // A last second also reads as 0; only a token without end has no end.
  if ((found.data?.expire_time ?? null) === null) return { seconds: 0, renewsAgain: false, isEnding: false };
  if (found.data?.renewable !== true) return { seconds: left, renewsAgain: false, isEnding: true };
  const answer = await client.send('POST', 'auth/token/renew-self', {});
  if (answer.status !== 200) throw refused(answer);
  const seconds = toSeconds(answer.data?.lease_duration);
  return { seconds, renewsAgain: true, isEnding: seconds < toSeconds(found.data.creation_ttl) };
}

function toSeconds(value: unknown): number {
  return typeof value === 'number' && value > 0 ? value : 0;
}
