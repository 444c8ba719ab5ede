/**
 * Sessions of one process, gone when it ends: for tests, and for hosts without a database. It passes the same
 * tests as the sessions in the database.
 */
import type { Bus } from '../events/bus.ts';
import type { Session, Sessions } from './sessions.ts';

export interface MemorySessionsOptions {
  readonly bus: Bus;
  readonly newId: () => string;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  readonly ttlSeconds: number;
}

export function createMemorySessions({ bus, newId, now, ttlSeconds }: MemorySessionsOptions): Sessions {
  const sessions = new Map<string, { session: Session; usedAt: number }>();

  function isExpired({ usedAt }: { usedAt: number }): boolean {
    return now() - usedAt > ttlSeconds * 1000;
  }

  async function end(id: string): Promise<boolean> {
    const held = sessions.get(id);
    if (!held) return false;
    sessions.delete(id);
    bus.publish({ type: 'session_closed', name: id });
    return !isExpired(held);
  }

  return {
    async create(created) {
      const session = { ...created, id: newId() };
      sessions.set(session.id, { session, usedAt: now() });
      return session;
    },

    find(id) {
      const held = sessions.get(id);
      if (!held || isExpired(held)) return undefined;
      held.usedAt = now();
      return held.session;
    },

    peek: (id) => sessions.get(id)?.session,

    async setLogLevel(id, logLevel) {
      const held = sessions.get(id);
      if (held) held.session = { ...held.session, logLevel };
      bus.publish({ type: 'session_changed', name: id });
    },

    end,

    use(ids) {
      for (const id of ids) {
        const held = sessions.get(id);
        if (held) held.usedAt = now();
      }
    },

    gone: async (ids) => ids.filter((id) => !sessions.has(id)),

    async reap() {
      for (const [id, held] of sessions) if (isExpired(held)) await end(id);
    },

    size: () => sessions.size,

    async close() {
      sessions.clear();
    },
  };
}
