import type { SupervisedConnection } from '../connection/supervised-connection.ts';

/** Unused for so long it may make room for another: many busy sessions must not start a process for each call. */
const leastIdleMs = 1_000;

/**
 * Of the sessions with a connection of their own, the one that has not used it for longest; undefined: all are busy.
 * @param now Monotonic milliseconds.
 */
export function unusedLongest(
  sessions: ReadonlyMap<string, SupervisedConnection>,
  now: number,
): readonly [sessionId: string, connection: SupervisedConnection] | undefined {
  const [longest] = [...sessions]
    .filter(([, { state, callsInFlight }]) => state === 'connected' && callsInFlight === 0)
    .filter(([, { idleWatch }]) => idleWatch.usedAt() <= now - leastIdleMs)
    .sort(([, one], [, other]) => one.idleWatch.usedAt() - other.idleWatch.usedAt());
  return longest;
}
