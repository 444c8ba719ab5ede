import type { Database } from '../database/database.ts';
import { type Failure, stillStarting } from '../failure.ts';
import type { Groups } from '../groups/groups.ts';
import type { RunningRegistry } from '../registry/create-registry.ts';

/** Why the service is not ready, if it is not: what `/readyz` says (contract section 1). */
export interface Readiness {
  reason(): Promise<string | undefined>;
  /** The stored servers are read and can be called. */
  isStarted(): boolean;
  start(): void;
  /** What the start is held up by, in a sentence; undefined: by nothing any more. */
  waitFor(what: string | undefined): void;
  /** The last try to read what is stored failed; undefined: there was none that did, or the database answers by now. */
  failedWith(failure: Failure | undefined): void;
  /** What is told instead of an answer until the start is over: of the database only when that is what is missing. */
  refusal(): Failure;
  stop(): void;
}

interface Dependencies {
  readonly database: Pick<Database, 'problem'>;
  readonly groups: Pick<Groups, 'isLoaded'>;
  readonly registry: Pick<RunningRegistry, 'isListingFirst'>;
}

export function createReadiness({ database, groups, registry }: Dependencies): Readiness {
  let isStarted = false;
  let isStopping = false;
  let waitsFor: string | undefined;
  let startFailure: Failure | undefined;

  return {
    async reason() {
      if (isStopping) return 'The service is stopping.';
      if (!groups.isLoaded()) return 'The groups are not read yet.';
      if (waitsFor !== undefined) return waitsFor;
      const problem = await database.problem();
      if (problem !== undefined) return problem;
      if (isStarted) return undefined;
      if (registry.isListingFirst()) return "The servers' tools are being listed for the first time.";
      return 'The stored servers are not read yet.';
    },
    isStarted: () => isStarted,
    start() {
      isStarted = true;
    },
    waitFor(what) {
      waitsFor = what;
      // A migration that is waited for is one that the database does.
      if (what !== undefined) startFailure = undefined;
    },
    failedWith(failure) {
      startFailure = failure;
    },
    refusal: () => startFailure ?? stillStarting(),
    stop() {
      isStopping = true;
    },
  };
}
