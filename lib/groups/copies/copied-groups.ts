import { createMutex } from '../../async/mutex.ts';
import { retryForever } from '../../async/retry.ts';
import type { Database } from '../../database/database.ts';
import type { Bus } from '../../events/bus.ts';
import { Failure, toFailure } from '../../failure.ts';
import type { Log } from '../../log.ts';
import { findRenamed } from '../files/former-names.ts';
import { createGroupCache } from '../files/group-cache.ts';
import type { Groups } from '../groups.ts';
import { readCopies } from './group-copy-rows.ts';

/**
 * Groups as the copies that a manager keeps in the database (`copy-groups.ts`), for a process without a groups folder. They
 * are read only; while the database is away the versions read last continue to serve.
 */
export interface CopiedGroups extends Groups {
  /** Reads all copies. @throws Failure `database_unavailable`. */
  load(): Promise<void>;
}

export interface CopiedGroupsDeps {
  readonly database: Pick<Database, 'query'>;
  readonly bus: Bus;
  readonly log: Log;
}

export function createCopiedGroups({ database, bus, log }: CopiedGroupsDeps): CopiedGroups {
  const readGroup = async (name: string) => (await readCopies(database, name))[0]?.parsed;
  const cache = createGroupCache({ readGroup, bus, log });
  // No read may overtake a later one: what it brings would be older.
  const mutex = createMutex();
  const closing = new AbortController();
  let loaded = false;

  async function readAll(): Promise<void> {
    const copies = await readCopies(database);
    const gone = new Set(cache.names());
    for (const { name, parsed } of copies) {
      gone.delete(name);
      cache.store(name, parsed);
    }
    for (const name of gone) cache.store(name, undefined);
    loaded = true;
  }

  /** A read that fails is made again, since no message may come that makes another. */
  function untilDone(read: () => Promise<void>): void {
    retryForever(() => mutex(read), { longestPauseMs: 2_000, signal: closing.signal }).catch(report);
  }

  function report(error: unknown): void {
    if (closing.signal.aborted) return;
    log.error({ reason: toFailure(error).code }, 'the copies of the groups could not be read');
  }

  const leaveBus = bus.subscribe(({ type, name }, origin) => {
    if (type === 'group_copy' && origin === 'remote') untilDone(() => cache.refresh(name));
  });
  const leaveGaps = bus.onGap(() => untilDone(readAll));

  return {
    load: () => mutex(readAll),
    isLoaded: () => loaded && cache.names().length > 0,
    names: cache.names,
    read: cache.read,
    renamedTo: (name) => findRenamed(cache, name),
    create: refuse,
    change: refuse,
    remove: refuse,
    rename: refuse,
    async close() {
      leaveBus();
      leaveGaps();
      closing.abort();
    },
  };
}

async function refuse(): Promise<never> {
  throw new Failure('conflict', 'This process has copies of the groups only; change them at the manager.');
}
