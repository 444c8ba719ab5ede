/**
 * Sessions as rows, with a cache in front. A known session costs no read; an unknown id costs one, and leaves
 * nothing behind. While the database is away, sessions this process knows go on, and new ones are refused.
 */

import { createBatcher } from '../async/batcher.ts';
import { createSingleFlightReads } from '../async/single-flight-reads.ts';
import type { Database } from '../database/database.ts';
import { databaseFailure, withDatabaseTimeout } from '../database/database-fault.ts';
import type { Bus } from '../events/bus.ts';
import { toFailure } from '../failure.ts';
import { type CachedSession, createSessionCache } from './session-cache.ts';
import { isSessionId } from './session-id.ts';
import { createSessionRoom } from './session-room.ts';
import { createSessionRows, type StoredSession } from './session-rows.ts';
import { createSessionUses, type NotedUse } from './session-uses.ts';
import type { NewSession, Session, Sessions } from './sessions.ts';

export interface DatabaseSessionsOptions {
  readonly database: Pick<Database, 'query'>;
  readonly bus: Bus;
  /** 22 to 64 characters of base64url, at least 128 bits of them random. */
  readonly newId: () => string;
  /** Monotonic milliseconds; judges idleness in this process, while the database's clock judges rows. */
  readonly now: () => number;
  /** Idle seconds after which a session is gone. */
  readonly ttlSeconds: number;
  /** Seconds after which one is gone that was never used. Absent: like any other. */
  readonly unusedSeconds?: number;
  /** How many there may be, in all processes. Absent: any number. */
  readonly most?: number;
}

const longestUnwrittenSeconds = 60;
/** How long a session in doubt waits for a database that hangs, before it is served from memory. */
const timeoutMs = 250;
const mostPerInsert = 500;
/** The first use of a session is written at once, since its row says that there was none. */
const neverWritten = Number.NEGATIVE_INFINITY;
const mostWaitingInserts = 5000;
const mostPerReap = 1000;

export function createSessions(options: DatabaseSessionsOptions): Sessions {
  const { database, bus, newId, now, ttlSeconds, unusedSeconds = ttlSeconds, most } = options;
  const rows = createSessionRows(database, { ttlSeconds, unusedSeconds });
  const room = most === undefined ? undefined : createSessionRoom({ most, count: rows.count, makeRoom, now });
  const cache = createSessionCache({ now, ttlSeconds });
  const insert = createBatcher({
    write: rows.insert,
    mostItems: mostPerInsert,
    mostWaiting: mostWaitingInserts,
    refuse: () => databaseFailure('busy'),
    isGeneral: isAway,
  });
  const lookups = createSingleFlightReads({ read: readRow, keep });
  const uses = createSessionUses({
    write: rows.writeUses,
    onMissing: (id) => bus.publish({ type: 'session_closed', name: id }),
    now,
    everySeconds: Math.min(longestUnwrittenSeconds, ttlSeconds / 4),
  });

  async function makeRoom(wanted: number): Promise<number> {
    const ended = await rows.removeIdlest(wanted, Math.max(unusedSeconds, 2 * longestUnwrittenSeconds));
    for (const id of ended) bus.publish({ type: 'session_closed', name: id });
    return ended.length;
  }

  async function readRow(id: string): Promise<CachedSession | StoredSession | undefined> {
    try {
      const reading = rows.read(id);
      return await (cache.get(id) ? withDatabaseTimeout(reading, timeoutMs) : reading);
    } catch (error) {
      const cached = cache.get(id);
      if (cached && isAway(error)) return cached;
      throw error;
    }
  }

  function keep(id: string, row: CachedSession | StoredSession | undefined): CachedSession | undefined {
    if (!row) {
      forget(id);
      return undefined;
    }
    if (!('idleSeconds' in row)) return row;
    return cache.set(row.session, row.isUsed ? now() - row.idleSeconds * 1000 : neverWritten);
  }

  /** Not a promise when this process knows it already. */
  function look(id: string): CachedSession | undefined | Promise<CachedSession | undefined> {
    const cached = cache.get(id);
    if (cached && !cached.isDoubtful) return cached;
    return isSessionId(id) ? lookups.read(id) : undefined;
  }

  function noteUse(cached: CachedSession | undefined): Session | undefined {
    if (cached) uses.note(cached);
    return cached?.session;
  }

  function forget(id: string): void {
    cache.remove(id);
    uses.forget(id);
    lookups.outdate(id);
  }

  /** Read again at once: calls under way go by what is known of it here. */
  function refresh(id: string): void {
    const cached = cache.peek(id);
    if (cached === undefined) return;
    cached.isDoubtful = true;
    lookups.outdate(id);
    lookups.read(id).catch(() => {});
  }

  const unsubscribe = bus.subscribe((busMessage, origin) => {
    if (busMessage.type === 'session_closed') forget(busMessage.name);
    else if (busMessage.type === 'session_changed' && origin === 'remote') refresh(busMessage.name);
  });
  const ignoreGaps = bus.onGap(() => {
    cache.doubtAll();
    lookups.outdateAll();
  });

  return {
    async create(created: NewSession) {
      const session = { ...created, id: newId() };
      await room?.enter();
      await insert(session).finally(room?.settled);
      return cache.set(session, neverWritten).session;
    },

    find(id) {
      const found = look(id);
      return found instanceof Promise ? found.then(noteUse) : noteUse(found);
    },

    async read(id) {
      return (await look(id))?.session;
    },

    peek: (id) => cache.peek(id)?.session,

    async setLogLevel(id, logLevel) {
      await rows.writeLogLevel(id, logLevel);
      lookups.outdate(id);
      const cached = cache.peek(id);
      if (cached) cached.session = { ...cached.session, logLevel };
      bus.publish({ type: 'session_changed', name: id });
    },

    async end(id) {
      const wasLive = isSessionId(id) && (await rows.remove(id));
      if (wasLive) bus.publish({ type: 'session_closed', name: id });
      // So that whoever ends a session finds it ended elsewhere too, unless others are far behind.
      if (wasLive) await bus.flush?.(timeoutMs);
      return wasLive;
    },

    use(ids) {
      for (const id of ids) uses.note(cache.peek(id) ?? unknownUse(id));
    },

    async gone(ids) {
      const alive = await rows.readIds(ids);
      return ids.filter((id) => !alive.has(id));
    },

    async reap() {
      // Or a session whose first use waited for the database would pass for one without.
      await uses.flushDue();
      let removed: string[];
      do {
        removed = await rows.removeExpired(mostPerReap);
        for (const id of removed) bus.publish({ type: 'session_closed', name: id });
      } while (removed.length === mostPerReap);
    },

    size: cache.size,

    async close() {
      unsubscribe();
      ignoreGaps();
      uses.stop();
      await uses.flushAll();
    },
  };
}

/** Of a session that is not cached any more: nobody knows what its row says. */
function unknownUse(id: string): NotedUse {
  return { session: { id }, usedAt: 0, writtenAt: neverWritten };
}

function isAway(error: unknown): boolean {
  return toFailure(error).code === 'database_unavailable';
}
