import { LRUCache } from 'lru-cache';
import { createJsonIntern } from '../json/intern-json.ts';
import type { Use } from './session-rows.ts';
import type { Session } from './sessions.ts';

/** Sessions as this process remembers them: those that it met lately, and their uses that are not written yet. */
export interface CachedSession extends SessionUse {
  session: Session;
  /** Bus messages about it may have been missed: the row is read before the session is used again. */
  isDoubtful: boolean;
}

export interface SessionUse {
  readonly session: Pick<Session, 'id'>;
  /** Monotonic milliseconds of the last use in this process, and of the last use in the row. */
  usedAt: number;
  writtenAt: number;
}

export interface SessionCacheOptions {
  /** Monotonic milliseconds. */
  readonly now: () => number;
  readonly ttlSeconds: number;
}

const mostSessions = 50_000;
const mostCharacters = 64_000_000;

/**
 * Bounded, since a session that was dropped costs no more than a read; sessions of clients that declare a great deal
 * about themselves count for more.
 */
export function createSessionCache({ now, ttlSeconds }: SessionCacheOptions) {
  const cache = new LRUCache<string, CachedSession>({ max: mostSessions, maxSize: mostCharacters });
  const intern = createJsonIntern();

  return {
    /** Undefined also for a session that was idle for its whole life time: another process may have used it since. */
    get(id: string): CachedSession | undefined {
      const cached = cache.get(id);
      return cached && now() - cached.usedAt <= ttlSeconds * 1000 ? cached : undefined;
    },

    set(session: Session, writtenAt: number): CachedSession {
      const clientInfo = intern(session.clientInfo);
      const clientCapabilities = intern(session.clientCapabilities);
      const cached = {
        session: {
          ...session,
          clientInfo: clientInfo.value,
          clientCapabilities: clientCapabilities.value,
        },
        usedAt: now(),
        writtenAt,
        isDoubtful: false,
      };
      cache.set(session.id, cached, { size: clientInfo.text.length + clientCapabilities.text.length });
      return cached;
    },

    /** Without a check of its age or doubts. */
    peek: (id: string): CachedSession | undefined => cache.peek(id),

    remove(id: string): void {
      cache.delete(id);
    },

    doubtAll(): void {
      for (const cached of cache.values()) cached.isDoubtful = true;
    },

    size: () => cache.size,
  };
}

export interface SessionUsesOptions {
  /** Resolves to the ids that still have a row. */
  readonly write: (uses: readonly Use[]) => Promise<ReadonlySet<string>>;
  /** A session has no row any more: the message of its end was missed. */
  readonly onMissing: (id: string) => void;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  readonly everySeconds: number;
}

const soonMs = 100;
const mostPerStatement = 1000;

/**
 * Writes when sessions were last used, in batches; callers never wait for a write. The first use after a quiet while is
 * written within a tenth of a second, further uses at most once in `everySeconds`: a row is never far behind, and a busy
 * session costs one write a minute. While the database is away the uses wait.
 */
export function createSessionUses({ write, onMissing, now, everySeconds }: SessionUsesOptions) {
  const everyMs = everySeconds * 1000;
  const unwritten = new Map<string, SessionUse>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let timerDueAt = Number.POSITIVE_INFINITY;

  function schedule(delayMs: number): void {
    const dueAt = now() + delayMs;
    if (dueAt >= timerDueAt) return;
    clearTimeout(timer);
    timerDueAt = dueAt;
    timer = setTimeout(() => {
      timerDueAt = Number.POSITIVE_INFINITY;
      flushDue();
    }, delayMs);
  }

  /** Uses that cannot be written wait for the next time: whatever the reason, the session itself goes on. */
  async function flush(isDue: (cached: SessionUse) => boolean): Promise<void> {
    const due = [...unwritten.values()].filter(isDue);
    for (let start = 0; start < due.length; start += mostPerStatement) {
      await writeSome(due.slice(start, start + mostPerStatement));
    }
    if (unwritten.size > 0) schedule(everyMs / 4);
  }

  function flushDue(): Promise<void> {
    return flush((cached) => cached.writtenAt + everyMs <= now());
  }

  async function writeSome(some: readonly SessionUse[]): Promise<void> {
    for (const { session } of some) unwritten.delete(session.id);
    const at = now();
    try {
      const alive = await write(
        some.map(({ session, usedAt }) => ({ id: session.id, secondsAgo: (at - usedAt) / 1000 })),
      );
      for (const cached of some) {
        cached.writtenAt = at;
        if (!alive.has(cached.session.id)) onMissing(cached.session.id);
      }
    } catch {
      for (const cached of some) unwritten.set(cached.session.id, cached);
    }
  }

  return {
    record(cached: SessionUse): void {
      cached.usedAt = now();
      if (unwritten.get(cached.session.id) === cached) return;
      unwritten.set(cached.session.id, cached);
      schedule(Math.max(soonMs, cached.writtenAt + everyMs - cached.usedAt));
    },
    delete(id: string): void {
      unwritten.delete(id);
    },
    flushDue,
    flushAll: () => flush(() => true),
    stop(): void {
      clearTimeout(timer);
      timerDueAt = Number.NEGATIVE_INFINITY;
    },
  };
}
