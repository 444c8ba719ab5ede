import { createBackOff } from '../async/back-off.ts';
import type { Log } from '../log.ts';
import { refused, type VaultClient } from './vault-client.ts';

/**
 * Renews the token of the secrets manager, which expires after its time to live; after that every read is denied.
 * Renews at the start, and again whenever a third of the remaining time has passed. A fault is logged once and the
 * renewal retried: a manager that comes back in time finds the token renewed. The operator has to provide a new token
 * when this one ends.
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

  const renewAfter = (milliseconds: number) => {
    if (!isStopped) timer = setTimeout(renewNow, milliseconds);
  };

  async function renewNow(): Promise<void> {
    try {
      const lease = await renew(client);
      report(lease.isEnding ? 'its time is up soon; give the service a new one' : undefined);
      backOff.reset();
      if (lease.renewsAgain) renewAfter(within(waitMs, (lease.seconds * 1000) / 3));
    } catch (error) {
      report(error instanceof Error ? error.message : String(error));
      renewAfter(backOff.next());
    }
  }

  function report(problem: string | undefined): void {
    if (problem !== undefined && problem !== lastProblem && !isStopped) {
      log.warn({ reason: problem }, 'The token of the secrets manager cannot be renewed.');
    }
    lastProblem = problem;
  }

  void renewNow();
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
  /**
   * The token has less time than it was created with and gets no more: not renewable, or close to its maximum lifetime.
   */
  readonly isEnding: boolean;
}

async function renew(client: VaultClient): Promise<Lease> {
  const found = await client.send('GET', 'auth/token/lookup-self');
  if (found.status !== 200) throw refused(found);
  const left = toSeconds(found.data?.ttl);
  // A last second also reads as 0; only a token without an expiry has no expiry time.
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
