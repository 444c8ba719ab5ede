/**
 * Sessions as rows, with a cache in front. A known session costs no read; an unknown id costs one, and leaves
 * nothing behind. While the database is away, sessions this process knows go on, and new ones are refused.
 */
import type { Database } from '../database/database.ts';
import { databaseFailure } from '../database/database-fault.ts';
import { withinPatience } from '../database/within-patience.ts';
import type { Bus } from '../events/bus.ts';
import { toFailure } from '../http/failure.ts';
import { createBatcher } from './create-batcher.ts';
import { type CachedSession, createSessionCache } from './session-cache.ts';
import { isSessionId } from './session-id.ts';
import { createSessionRows, type StoredSession } from './session-rows.ts';
import { createSessionUses, type NotedUse } from './session-uses.ts';
import type { NewSession, Session, Sessions } from './sessions.ts';
import { createSharedReads } from './shared-reads.ts';

export interface DatabaseSessionsOptions {
  readonly database: Pick<Database, 'query'>;
  readonly bus: Bus;
  /** 22 to 64 characters of base64url, at least 128 bits of them random. */
  readonly newId: () => string;
  /** Monotonic milliseconds; judges idleness in this process, while the database's clock judges rows. */
  readonly now: () => number;
  /** Idle seconds after which a session is gone. */
  readonly ttlSeconds: number;
}

const longestUnwrittenSeconds = 60;
/** How long a session in doubt waits for a database that hangs, before it is served from memory. */
const patienceMs = 250;
const mostPerInsert = 500;
const mostWaitingInserts = 5000;
const mostPerReap = 1000;

export function createSessions({ database, bus, newId, now, ttlSeconds }: DatabaseSessionsOptions): Sessions {
  const rows = createSessionRows(database, ttlSeconds);
  const cache = createSessionCache({ now, ttlSeconds });
  const insert = createBatcher({
    write: rows.insert,
    mostItems: mostPerInsert,
    mostWaiting: mostWaitingInserts,
    refuse: () => databaseFailure('busy'),
    isGeneral: isAway,
  });
  const lookups = createSharedReads({ read: readRow, keep });
  const uses = createSessionUses({
    write: rows.writeUses,
    onMissing: (id) => bus.publish({ type: 'session_closed', name: id }),
    now,
    everySeconds: Math.min(longestUnwrittenSeconds, ttlSeconds / 4),
  });

  async function readRow(id: string): Promise<CachedSession | StoredSession | undefined> {
    try {
      const reading = rows.read(id);
      return await (cache.get(id) ? withinPatience(reading, patienceMs) : reading);
    } catch (error) {
      const cached = cache.get(id);
      if (cached && isAway(error)) return cached;
      throw error;
    }
  }

  function keep(id: string, row: CachedSession | StoredSession | undefined): Session | undefined {
    if (!row) {
      forget(id);
      return undefined;
    }
    const cached = 'idleSeconds' in row ? cache.set(row.session, now() - row.idleSeconds * 1000) : row;
    uses.note(cached);
    return cached.session;
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

  const ignoreNews = bus.subscribe((news, origin) => {
    if (news.type === 'session_closed') forget(news.name);
    else if (news.type === 'session_changed' && origin === 'remote') refresh(news.name);
  });
  const ignoreGaps = bus.onGap(() => {
    cache.doubtAll();
    lookups.outdateAll();
  });

  return {
    async create(created: NewSession) {
      const session = { ...created, id: newId() };
      await insert(session);
      return cache.set(session, now()).session;
    },

    find(id) {
      const cached = cache.get(id);
      if (!cached || cached.isDoubtful) return isSessionId(id) ? lookups.read(id) : undefined;
      uses.note(cached);
      return cached.session;
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
      if (wasLive) await bus.flush?.(patienceMs);
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
      let removed: string[];
      do {
        removed = await rows.removeExpired(mostPerReap);
        for (const id of removed) bus.publish({ type: 'session_closed', name: id });
      } while (removed.length === mostPerReap);
    },

    size: cache.size,

    async close() {
      ignoreNews();
      ignoreGaps();
      uses.stop();
      await uses.flushAll();
    },
  };
}

/** Of a session that is not cached any more: nobody knows what its row says. */
function unknownUse(id: string): NotedUse {
  return { session: { id }, usedAt: 0, writtenAt: Number.NEGATIVE_INFINITY };
}

function isAway(error: unknown): boolean {
  return toFailure(error).code === 'database_unavailable';
}
