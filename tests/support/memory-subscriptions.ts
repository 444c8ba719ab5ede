import type { SessionSubscriptions, Subscription } from '../../lib/sessions/session-subscriptions.ts';

/** Subscriptions in memory, without the limit of a session. */
export function createMemorySubscriptions(): SessionSubscriptions {
  const sessions = new Map<string, Map<string, Subscription>>();
  const keyOf = ({ server, uri }: Subscription) => `${server} ${uri}`;
  return {
    async add(sessionId, subscription) {
      const known = sessions.get(sessionId) ?? new Map<string, Subscription>();
      sessions.set(sessionId, known.set(keyOf(subscription), subscription));
    },
    async remove(sessionId, subscription) {
      sessions.get(sessionId)?.delete(keyOf(subscription));
    },
    read: async (sessionIds) =>
      new Map(sessionIds.map((id) => [id, [...(sessions.get(id)?.values() ?? [])]])),
  };
}
