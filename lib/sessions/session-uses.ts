/**
 * Writes when sessions were last used, in batches and never on a caller's time: a session's first use after a
 * quiet while within a tenth of a second, its further uses at most once in `everySeconds`. So a row is never
 * far behind, and a busy session costs one write a minute. While the database is away the uses wait.
 */
import type { Use } from './session-rows.ts';
import type { Session } from './sessions.ts';

export interface NotedUse {
  readonly session: Pick<Session, 'id'>;
  /** Monotonic milliseconds of the last use in this process, and of the last use its row knows. */
  usedAt: number;
  writtenAt: number;
}

export interface SessionUsesOptions {
  /** Resolves to the ids that still have a row. */
  readonly write: (uses: readonly Use[]) => Promise<ReadonlySet<string>>;
  /** A session was found to have no row any more: news of its end were missed. */
  readonly onMissing: (id: string) => void;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  readonly everySeconds: number;
}

const soonMs = 100;
const mostPerStatement = 1000;

export function createSessionUses({ write, onMissing, now, everySeconds }: SessionUsesOptions) {
  const everyMs = everySeconds * 1000;
  const unwritten = new Map<string, NotedUse>();
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

  /** Failures are kept for the next time: whatever the reason, the session itself goes on. */
  async function flush(isDue: (cached: NotedUse) => boolean): Promise<void> {
    const due = [...unwritten.values()].filter(isDue);
    for (let start = 0; start < due.length; start += mostPerStatement) {
      await writeSome(due.slice(start, start + mostPerStatement));
    }
    if (unwritten.size > 0) schedule(everyMs / 4);
  }

  function flushDue(): Promise<void> {
    return flush((cached) => cached.writtenAt + everyMs <= now());
  }

  async function writeSome(some: readonly NotedUse[]): Promise<void> {
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
    note(cached: NotedUse): void {
      cached.usedAt = now();
      if (unwritten.get(cached.session.id) === cached) return;
      unwritten.set(cached.session.id, cached);
      schedule(Math.max(soonMs, cached.writtenAt + everyMs - cached.usedAt));
    },
    forget(id: string): void {
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
