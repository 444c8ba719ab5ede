import type { Database } from '../database/database.ts';
import { type Failure, stillStarting } from '../failure.ts';
import type { Groups } from '../groups/groups.ts';
import type { RunningRegistry } from '../registry/create-registry.ts';

/** Why the service is not ready, if it is not: what `/readyz` says (docs/api.md, Service). */
export interface Readiness {
  reason(): Promise<string | undefined>;
  /** The stored servers are loaded and can be called, and there are groups. */
  isStarted(): boolean;
  start(): void;
  /** Why the start is waiting, in a sentence; undefined: the start goes on. */
  waitFor(reason: string | undefined): void;
  /** The last attempt to load the database failed; undefined: the database answers. */
  failedWith(failure: Failure | undefined): void;
  /** The answer to requests until the start is over; names the database only when that is missing. */
  refusal(): Failure;
  stop(): void;
}

interface Dependencies {
  readonly database: Pick<Database, 'problem'>;
  readonly groups: Pick<Groups, 'isLoaded'>;
  readonly registry: Pick<RunningRegistry, 'isListingFirst'>;
  /** The groups come from the database. */
  readonly isFolderless?: boolean;
}

export function createReadiness({ database, groups, registry, isFolderless }: Dependencies): Readiness {
  let isStarted = false;
  let isStopping = false;
  let waitsFor: string | undefined;
  let startFailure: Failure | undefined;

  return {
    async reason() {
      if (isStopping) return 'The service is stopping.';
      const isRead = groups.isLoaded();
      if (!isRead && !isFolderless) return 'The groups are not read yet.';
      if (waitsFor !== undefined) return waitsFor;
      const problem = await database.problem();
      if (problem !== undefined) return problem;
      if (isStarted && !isRead) return 'No manager has copied the groups into the database yet.';
      if (isStarted) return undefined;
      if (registry.isListingFirst()) return "The servers' tools are being listed for the first time.";
      return 'The stored servers are not read yet.';
    },
    isStarted: () => isStarted && groups.isLoaded(),
    start() {
      isStarted = true;
    },
    waitFor(reason) {
      waitsFor = reason;
      // While a migration runs the database answers.
      if (reason !== undefined) startFailure = undefined;
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
