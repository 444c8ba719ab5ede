import type { Subscription } from '../../sessions/session-subscriptions.ts';

/**
 * The sessions that this process looks after for their subscriptions, what its connections serve of those, and whom an
 * update concerns. An update may name a part of what somebody subscribed to (server/resources, Subscriptions).
 */
export interface ActiveSubscriptions {
  follow(session: Subscriber): void;
  sessions(): readonly Subscriber[];
  session(id: string): Subscriber | undefined;
  of(sessionId: string): readonly Subscription[];
  /** False: it looks after this session no longer. */
  put(sessionId: string, subscription: Subscription): boolean;
  drop(sessionId: string, subscription: Subscription): void;
  forget(sessionId: string): void;
  concernedBy(update: Subscription): readonly Subscriber[];
}

export interface Subscriber {
  readonly id: string;
  readonly group: string;
}

interface Entry {
  readonly session: Subscriber;
  readonly held: Map<string, Subscription>;
}

export function createActiveSubscriptions(): ActiveSubscriptions {
  const entries = new Map<string, Entry>();
  /** By server, so that an update costs nothing where nobody subscribed. */
  const subscribers = new Map<string, Set<string>>();

  function follow({ id, group }: Subscriber): void {
    if (!entries.has(id)) entries.set(id, { session: { id, group }, held: new Map() });
  }

  function of(sessionId: string): readonly Subscription[] {
    return [...(entries.get(sessionId)?.held.values() ?? [])];
  }

  function drop(sessionId: string, subscription: Subscription): void {
    entries.get(sessionId)?.held.delete(keyOf(subscription));
    const { server } = subscription;
    if (of(sessionId).some((other) => other.server === server)) return;
    const ids = subscribers.get(server);
    ids?.delete(sessionId);
    if (ids?.size === 0) subscribers.delete(server);
  }

  return {
    follow,
    sessions: () => Array.from(entries.values(), ({ session }) => session),
    session: (id) => entries.get(id)?.session,
    of,
    put(sessionId, subscription) {
      const entry = entries.get(sessionId);
      if (entry === undefined) return false;
      entry.held.set(keyOf(subscription), subscription);
      const ids = subscribers.get(subscription.server) ?? new Set();
      subscribers.set(subscription.server, ids.add(sessionId));
      return true;
    },
    drop,
    forget(sessionId) {
      for (const subscription of of(sessionId)) drop(sessionId, subscription);
      entries.delete(sessionId);
    },
    concernedBy: ({ server, uri }) =>
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
