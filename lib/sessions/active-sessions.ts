import type { Bus } from '../events/bus.ts';
import type { Sessions } from './sessions.ts';

/**
 * The sessions for which this process has streams, calls, connections or subscriptions. Sessions whose client listens or
 * waits for an answer do not expire; when bus messages may have been missed, the ends of sessions are published again.
 */
export interface ActiveSessions {
  /** Called on a timer. */
  poll(): Promise<void>;
}

export interface ActiveSessionsDependencies {
  readonly sessions: Pick<Sessions, 'use' | 'gone'>;
  readonly bus: Pick<Bus, 'publish' | 'onGap'>;
  /** The sessions with a client that listens or waits. */
  readonly inUse: () => readonly string[];
  /** All sessions for which `session_closed` would clear something away. */
  readonly active: () => readonly string[];
}

export function createActiveSessions({
  sessions,
  bus,
  inUse,
  active,
}: ActiveSessionsDependencies): ActiveSessions {
  let isBehind = false;
  let isCatchingUp = false;

  async function catchUp(): Promise<void> {
    if (isCatchingUp) return;
    isCatchingUp = true;
    try {
      while (isBehind) {
        isBehind = false;
        await reportStops();
      }
    } catch {
      // The database is away: the next poll tries again.
      isBehind = true;
    } finally {
      isCatchingUp = false;
    }
  }

  async function reportStops(): Promise<void> {
    const ids = [...new Set(active())];
    if (ids.length === 0) return;
    for (const id of await sessions.gone(ids)) bus.publish({ type: 'session_closed', name: id });
  }

  bus.onGap(() => {
    isBehind = true;
    return catchUp();
  });

  return {
    async poll() {
      sessions.use(inUse());
      await catchUp();
    },
  };
}
