import type { RunningRegistry } from './catalog/create-registry.ts';
import type { Database } from './database/database.ts';
import type { Groups } from './groups/groups.ts';
import { toFailure } from './http/failure.ts';

/** Why the service is not ready, if it is not: what `/readyz` says (contract section 1). */
export interface Readiness {
  reason(): Promise<string | undefined>;
  /** The stored servers are read and can be called. */
  isStarted(): boolean;
  start(): void;
  stop(): void;
}

interface Dependencies {
  readonly database: Pick<Database, 'query'>;
  readonly groups: Pick<Groups, 'isLoaded'>;
  readonly registry: Pick<RunningRegistry, 'isListingFirst'>;
}

export function createReadiness({ database, groups, registry }: Dependencies): Readiness {
  let isStarted = false;
  let isStopping = false;

  return {
    async reason() {
      if (isStopping) return 'The service is stopping.';
      if (!groups.isLoaded()) return 'The groups are not read yet.';
      try {
        await database.query('select 1');
      } catch (error) {
        return toFailure(error).message;
      }
      if (isStarted) return undefined;
      if (registry.isListingFirst()) return "The servers' tools are being listed for the first time.";
      return 'The stored servers are not read yet.';
    },
    isStarted: () => isStarted,
    start() {
      isStarted = true;
    },
    stop() {
      isStopping = true;
    },
  };
}
