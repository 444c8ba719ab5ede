import type { Bus } from '../events/bus.ts';
import type { Sessions } from './sessions.ts';

/**
 * The sessions that this process holds something for. Those whose client listens or waits for an answer do not expire;
 * when news may have been missed, the ends of sessions are found out and told again.
 */
export interface ActiveSessions {
  /** Called on a timer by the service. */
  look(): Promise<void>;
}

export interface HeldSessionsDependencies {
  readonly sessions: Pick<Sessions, 'use' | 'gone'>;
  readonly bus: Bus;
  /** The sessions with a client that listens or waits. */
  readonly inUse: () => readonly string[];
  /** All for which `session_closed` would clear something away. */
  readonly held: () => readonly string[];
}

export function createActiveSessions({
  sessions,
  bus,
  inUse,
  held,
}: HeldSessionsDependencies): ActiveSessions {
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
      // The database is away: the next look tries again.
      isBehind = true;
    } finally {
      isCatchingUp = false;
    }
  }

  async function reportStops(): Promise<void> {
    const ids = [...new Set(held())];
    if (ids.length === 0) return;
    for (const id of await sessions.gone(ids)) bus.publish({ type: 'session_closed', name: id });
  }

  bus.onGap(() => {
    isBehind = true;
    return catchUp();
  });

  return {
    async look() {
      sessions.use(inUse());
      await catchUp();
    },
  };
}
