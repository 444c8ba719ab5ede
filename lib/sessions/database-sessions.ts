import { createBatcher } from '../async/batch.ts';
import { createSingleFlightReads } from '../async/single-flight.ts';
import type { Database } from '../database/database.ts';
import { databaseFailure, withDatabaseTimeout } from '../database/database-fault.ts';
import type { Bus } from '../events/bus.ts';
import { toFailure } from '../failure.ts';
import {
  type CachedSession,
  createSessionCache,
  createSessionUses,
  type SessionUse,
} from './session-cache.ts';
import { createSessionRoom } from './session-room.ts';
import { createSessionRows, type StoredSession } from './session-rows.ts';
import type { NewSession, Session, Sessions } from './sessions.ts';

/**
 * Sessions as rows, with a cache in front. A known session costs no read; an unknown id costs one, and is not cached.
 * While the database is away, cached sessions go on, and new ones are refused.
 */
export interface DatabaseSessionsOptions {
  readonly database: Pick<Database, 'query'>;
  readonly bus: Bus;
  /** 22 to 64 characters of base64url, at least 128 bits of them random. */
  readonly newId: () => string;
  /** Monotonic milliseconds; judges idleness in this process, while the database's clock judges rows. */
  readonly now: () => number;
  /** Idle seconds after which a session is gone. */
  readonly ttlSeconds: number;
  /** Seconds after which a session that was never used is gone. Absent: like any other. */
  readonly unusedSeconds?: number;
  /** How many there may be, in all processes. Absent: any number. */
  readonly most?: number;
}

const longestUnwrittenSeconds = 60;
/** How long a session in doubt waits for a database that hangs, before it is served from memory. */
const timeoutMs = 250;
const mostPerInsert = 500;
/** Until then the row says that the session was never used, so its first use is written at once. */
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
  const lookups = createSingleFlightReads({ read: readRow, apply: store });
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

  function store(id: string, row: CachedSession | StoredSession | undefined): CachedSession | undefined {
    if (!row) {
      drop(id);
      return undefined;
    }
    if (!('idleSeconds' in row)) return row;
    return cache.set(row.session, row.isUsed ? now() - row.idleSeconds * 1000 : neverWritten);
  }

  /** Not a promise when the session is cached. */
  function lookUp(id: string): CachedSession | undefined | Promise<CachedSession | undefined> {
    const cached = cache.get(id);
    if (cached && !cached.isDoubtful) return cached;
    return isSessionId(id) ? lookups.read(id) : undefined;
  }

  function recordUse(cached: CachedSession | undefined): Session | undefined {
    if (cached) uses.record(cached);
    return cached?.session;
  }

  function drop(id: string): void {
    cache.remove(id);
    uses.delete(id);
    lookups.invalidate(id);
  }

  /** Read again at once: calls under way use the cached session. */
  function refresh(id: string): void {
    const cached = cache.peek(id);
    if (cached === undefined) return;
    cached.isDoubtful = true;
    lookups.invalidate(id);
    lookups.read(id).catch(() => {});
  }

  const unsubscribe = bus.subscribe((busMessage, origin) => {
    if (busMessage.type === 'session_closed') drop(busMessage.name);
    else if (busMessage.type === 'session_changed' && origin === 'remote') refresh(busMessage.name);
  });
  const unsubscribeFromGaps = bus.onGap(() => {
    cache.doubtAll();
    lookups.invalidateAll();
  });

  return {
    async create(created: NewSession) {
      const session = { ...created, id: newId() };
      await room?.enter();
      await insert(session).finally(room?.added);
      return cache.set(session, neverWritten).session;
    },

    find(id) {
      const found = lookUp(id);
      return found instanceof Promise ? found.then(recordUse) : recordUse(found);
    },

    async read(id) {
      return (await lookUp(id))?.session;
    },

    peek: (id) => cache.peek(id)?.session,

    async setLogLevel(id, logLevel) {
      await rows.writeLogLevel(id, logLevel);
      lookups.invalidate(id);
      const cached = cache.peek(id);
      if (cached) cached.session = { ...cached.session, logLevel };
      bus.publish({ type: 'session_changed', name: id });
    },

    async end(id) {
      const wasLive = isSessionId(id) && (await rows.remove(id));
      if (wasLive) bus.publish({ type: 'session_closed', name: id });
      // So that a client that ended its session finds it ended in every process, unless one is far behind.
      if (wasLive) await bus.flush?.(timeoutMs);
      return wasLive;
    },

    use(ids) {
      for (const id of ids) uses.record(cache.peek(id) ?? unknownUse(id));
    },

    async gone(ids) {
      const alive = await rows.readIds(ids);
      return ids.filter((id) => !alive.has(id));
    },

    async reap() {
      // Otherwise a session whose first use waits for the database would count as never used.
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
      unsubscribeFromGaps();
      uses.stop();
      await room?.settled();
      await uses.flushAll();
    },
  };
}

/** Of a session that is not cached any more, whose row is unknown. */
function unknownUse(id: string): SessionUse {
  return { session: { id }, usedAt: 0, writtenAt: neverWritten };
}

function isAway(error: unknown): boolean {
  return toFailure(error).code === 'database_unavailable';
}

/** Any other id was not issued here and is unknown without a read. 128 random bits are 22 characters of base64url. */
function isSessionId(id: string): boolean {
  return /^[0-9A-Za-z_-]{22,64}$/.test(id);
}
