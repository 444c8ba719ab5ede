import type { Subscription } from '../../sessions/session-subscriptions.ts';

/**
 * The sessions whose subscriptions this process serves, the subscriptions of its connections, and the sessions that an
 * update concerns: the update may name a part of a subscribed resource (server/resources, Subscriptions).
 */
export interface ActiveSubscriptions {
  addSession(session: Subscriber): void;
  sessions(): readonly Subscriber[];
  session(id: string): Subscriber | undefined;
  of(sessionId: string): readonly Subscription[];
  /** False: this process does not serve the session any more. */
  add(sessionId: string, subscription: Subscription): boolean;
  delete(sessionId: string, subscription: Subscription): void;
  deleteSession(sessionId: string): void;
  subscribersTo(update: Subscription): readonly Subscriber[];
}

export interface Subscriber {
  readonly id: string;
  readonly group: string;
}

interface Entry {
  readonly session: Subscriber;
  readonly subscriptions: Map<string, Subscription>;
}

export function createActiveSubscriptions(): ActiveSubscriptions {
  const entries = new Map<string, Entry>();
  /** By server, so that an update of a server without subscribers costs nothing. */
  const subscribers = new Map<string, Set<string>>();

  function addSession({ id, group }: Subscriber): void {
    if (!entries.has(id)) entries.set(id, { session: { id, group }, subscriptions: new Map() });
  }

  function of(sessionId: string): readonly Subscription[] {
    return [...(entries.get(sessionId)?.subscriptions.values() ?? [])];
  }

  function remove(sessionId: string, subscription: Subscription): void {
    entries.get(sessionId)?.subscriptions.delete(keyOf(subscription));
    const { server } = subscription;
    if (of(sessionId).some((other) => other.server === server)) return;
    const ids = subscribers.get(server);
    ids?.delete(sessionId);
    if (ids?.size === 0) subscribers.delete(server);
  }

  return {
    addSession,
    sessions: () => Array.from(entries.values(), ({ session }) => session),
    session: (id) => entries.get(id)?.session,
    of,
    add(sessionId, subscription) {
      const entry = entries.get(sessionId);
      if (entry === undefined) return false;
      entry.subscriptions.set(keyOf(subscription), subscription);
      const ids = subscribers.get(subscription.server) ?? new Set();
      subscribers.set(subscription.server, ids.add(sessionId));
      return true;
    },
    delete: remove,
    deleteSession(sessionId) {
      for (const subscription of of(sessionId)) remove(sessionId, subscription);
      entries.delete(sessionId);
    },
    subscribersTo: ({ server, uri }) =>
      [...(subscribers.get(server) ?? [])]
        .filter((id) => of(id).some((one) => one.server === server && isPart(uri, one.uri)))
        .flatMap((id) => entries.get(id)?.session ?? []),
  };
}

function keyOf({ server, uri }: Subscription): string {
  return `${server} ${uri}`;
}

function isPart(uri: string, whole: string): boolean {
  return uri === whole || uri.startsWith(whole.endsWith('/') ? whole : `${whole}/`);
}
