import type { Catalog } from './catalog/catalog.ts';
import type { Database } from './database/database.ts';
import type { Groups } from './groups/groups.ts';
import { toFailure } from './http/failure.ts';

/** Why the service is not ready, if it is not: what `/readyz` says (contract section 1). */
export interface Readiness {
  reason(): Promise<string | undefined>;
  stop(): void;
}

interface Dependencies {
  readonly database: Pick<Database, 'query'>;
  readonly groups: Pick<Groups, 'isLoaded'>;
  readonly catalog: Pick<Catalog, 'isLoaded'>;
}

export function createReadiness({ database, groups, catalog }: Dependencies): Readiness {
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
      return catalog.isLoaded() ? undefined : 'The stored servers are not read yet.';
    },
    stop() {
      isStopping = true;
    },
  };
}
