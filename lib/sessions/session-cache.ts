/**
 * The sessions this process met lately. Bounded, since forgetting one costs no more than a read; sessions of
 * clients that declare a great deal about themselves count for more.
 */
import { LRUCache } from 'lru-cache';
import { createJsonIntern } from '../json/intern-json.ts';
import type { NotedUse } from './session-uses.ts';
import type { Session } from './sessions.ts';

export interface CachedSession extends NotedUse {
  session: Session;
  /** News about it may have been missed: the row is asked before it is used again. */
  isDoubtful: boolean;
}

export interface SessionCacheOptions {
  /** Monotonic milliseconds. */
  readonly now: () => number;
  readonly ttlSeconds: number;
}

const mostSessions = 50_000;
const mostCharacters = 64_000_000;

export function createSessionCache({ now, ttlSeconds }: SessionCacheOptions) {
  const cache = new LRUCache<string, CachedSession>({ max: mostSessions, maxSize: mostCharacters });
  const intern = createJsonIntern();

  return {
    /** Undefined also for one that was idle for its whole life time: another process may have used it since. */
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

    /** As it was cached last, whatever became of it since. */
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
