import type { Log } from '../../log.ts';
import type { ClosePurpose } from '../../upstreams/transports/transport.ts';
import type { ContainerFacts, Containers } from '../containers.ts';
import type { LeasedContainer } from './container-store.ts';
import type { Replacements } from './replacements.ts';
import type { StopDetector } from './stop-detector.ts';

/** The containers that connections of this process have, or are about to. */
export interface LeasedContainers {
  isLeased(id: string): boolean;
  /** Held, or promised to somebody who will be back soon. */
  isWanted(id: string): boolean;
  reserve(id: string): void;
  forget(id: string): void;
  hold(facts: ContainerFacts): LeasedContainer;
}

export interface HeldContainersOptions {
  readonly containers: Pick<Containers, 'stop'>;
  readonly endWatch: StopDetector;
  readonly replacements: Replacements;
  /** One after the other, of one server or session. */
  readonly turn: (owner: ContainerFacts, work: () => Promise<void>) => Promise<void>;
  /** Removes it, and what nobody can want any more with it. */
  readonly discard: (facts: ContainerFacts) => Promise<void>;
  /** One is gone: another may get its name. */
  readonly onDiscarded: (facts: ContainerFacts) => Promise<void>;
  readonly now: () => number;
  readonly log: Log;
}

/** Between being ensured and being acquired, and then some. */
const reservedMs = 60_000;

export function createLeasedContainers(options: HeldContainersOptions): LeasedContainers {
  const { containers, endWatch, replacements, turn, discard, now, log } = options;
  const held = new Set<string>();
  const reservedUntil = new Map<string, number>();

  async function settle(facts: ContainerFacts, purpose: ClosePurpose, hasAnswered: boolean): Promise<void> {
    const { id, server } = facts;
    let isGone = false;
    try {
      // While it is held, nobody else decides about it.
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
    held.delete(id);
    if (isGone) await options.onDiscarded(facts);
  }

  return {
    isLeased: (id) => held.has(id),
    isWanted: (id) => held.has(id) || (reservedUntil.get(id) ?? 0) > now(),
    reserve: (id) => void reservedUntil.set(id, now() + reservedMs),
    forget: (id) => void reservedUntil.delete(id),
    hold(facts) {
      const { id, server } = facts;
      const since = now();
      let hasAnswered = false;
      held.add(id);
      reservedUntil.delete(id);
      return {
        facts,
        staysDown: () => endWatch.staysDown(id, since),
        lastEnd: () => endWatch.lastEnd(id, since),
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
          if (purpose === 'let-go') held.delete(id);
          else await turn(facts, () => settle(facts, purpose, hasAnswered));
        },
      };
    },
  };
}
