import type { Log } from '../../log.ts';
import type { ClosePurpose } from '../../upstreams/transports/transport.ts';
import type { ContainerFacts, Containers } from '../containers.ts';
import type { LeasedContainer } from './container-store.ts';
import type { Replacements } from './replacements.ts';
import type { StopDetector } from './stop-detector.ts';

/** The containers that connections of this process use, or are about to use. */
export interface LeasedContainers {
  isLeased(id: string): boolean;
  /** Leased, or reserved for a connection that opens soon. */
  isWanted(id: string): boolean;
  reserve(id: string): void;
  forget(id: string): void;
  lease(facts: ContainerFacts): LeasedContainer;
}

export interface LeasedContainersOptions {
  readonly containers: Pick<Containers, 'stop'>;
  readonly stopDetector: StopDetector;
  readonly replacements: Replacements;
  /** Serializes work on one server or session. */
  readonly turn: (owner: ContainerFacts, work: () => Promise<void>) => Promise<void>;
  /** Removes the container, and those of its volumes that can no longer be used. */
  readonly discard: (facts: ContainerFacts) => Promise<void>;
  /** A container was removed, so that its name is free. */
  readonly onDiscarded: (facts: ContainerFacts) => Promise<void>;
  readonly now: () => number;
  readonly log: Log;
}

/** Covers the time between `ensure` and `acquire`, with a margin. */
const reservedMs = 60_000;

export function createLeasedContainers(options: LeasedContainersOptions): LeasedContainers {
  const { containers, stopDetector, replacements, turn, discard, now, log } = options;
  const leased = new Set<string>();
  const reservedUntil = new Map<string, number>();

  async function complete(facts: ContainerFacts, purpose: ClosePurpose, hasAnswered: boolean): Promise<void> {
    const { id, server } = facts;
    let isGone = false;
    try {
      // While the container is leased, nothing else stops or removes it.
      isGone = !hasAnswered && (await replacements.givenUp(facts));
      if (!isGone && purpose === 'stop') await containers.stop(id);
      else if (!isGone) await discard(facts);
      isGone ||= purpose === 'discard';
    } catch (error) {
      log.warn(
        { server, container: id, error },
        'A container could not be stopped; that is tried again later.',
      );
    }
    leased.delete(id);
    if (isGone) await options.onDiscarded(facts);
  }

  return {
    isLeased: (id) => leased.has(id),
    isWanted: (id) => leased.has(id) || (reservedUntil.get(id) ?? 0) > now(),
    reserve: (id) => void reservedUntil.set(id, now() + reservedMs),
    forget: (id) => void reservedUntil.delete(id),
    lease(facts) {
      const { id, server } = facts;
      const since = now();
      let hasAnswered = false;
      leased.add(id);
      reservedUntil.delete(id);
      return {
        facts,
        staysDown: () => stopDetector.staysDown(id, since),
        lastEnd: () => stopDetector.lastEnd(id, since),
        answered() {
          hasAnswered = true;
          turn(facts, () => replacements.answered(facts)).catch((error: unknown) => {
            log.warn(
              { server, error },
              'What a container replaced could not be removed; that is tried again.',
            );
          });
        },
        async release(purpose) {
          if (purpose === 'let-go') leased.delete(id);
          else await turn(facts, () => complete(facts, purpose, hasAnswered));
        },
      };
    },
  };
}
