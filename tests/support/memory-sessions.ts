/** Sessions in memory, with the contract of the sessions in the database. */
import type { Bus } from '../../lib/events/bus.ts';
import { createSessionRoom } from '../../lib/sessions/session-room.ts';
import type { Session, Sessions } from '../../lib/sessions/sessions.ts';

export interface MemorySessionsOptions {
  readonly bus: Bus;
  readonly newId: () => string;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  readonly ttlSeconds: number;
  /** Absent: like any other. */
  readonly unusedSeconds?: number;
  /** Absent: any number. */
  readonly most?: number;
}

interface Active {
  session: Session;
  usedAt: number;
  readonly createdAt: number;
  isUsed: boolean;
}

export function createMemorySessions(options: MemorySessionsOptions): Sessions {
  const { bus, newId, now, ttlSeconds, unusedSeconds = ttlSeconds, most } = options;
  const sessions = new Map<string, Active>();
  const count = async () => sessions.size;
  const room =
    most === undefined ? undefined : createSessionRoom({ most, makeRoom: async () => 0, count, now });

  function isExpired({ usedAt }: { usedAt: number }): boolean {
    return now() - usedAt > ttlSeconds * 1000;
  }

  function isUnused({ isUsed, createdAt }: Active): boolean {
    return !isUsed && now() - createdAt > unusedSeconds * 1000;
  }

  function use(active: Active): void {
    active.usedAt = now();
    active.isUsed = true;
  }

  async function end(id: string): Promise<boolean> {
    const active = sessions.get(id);
    if (!active) return false;
    sessions.delete(id);
    bus.publish({ type: 'session_closed', name: id });
    return !isExpired(active);
  }

  return {
    async create(created) {
      const session = { ...created, id: newId() };
      await room?.enter();
      sessions.set(session.id, { session, usedAt: now(), createdAt: now(), isUsed: false });
      room?.added();
      return session;
    },

    find(id) {
      const active = sessions.get(id);
      if (!active || isExpired(active)) return undefined;
      use(active);
      return active.session;
    },

    async read(id) {
      const active = sessions.get(id);
      return active && !isExpired(active) ? active.session : undefined;
    },

    peek: (id) => sessions.get(id)?.session,

    async setLogLevel(id, logLevel) {
      const active = sessions.get(id);
      if (active) active.session = { ...active.session, logLevel };
      bus.publish({ type: 'session_changed', name: id });
    },

    end,

    use(ids) {
      for (const id of ids) {
        const active = sessions.get(id);
        if (active) use(active);
      }
    },

    gone: async (ids) => ids.filter((id) => !sessions.has(id)),

    async reap() {
      for (const [id, active] of sessions) if (isExpired(active) || isUnused(active)) await end(id);
    },

    size: () => sessions.size,

    async close() {
      sessions.clear();
    },
  };
}
