import type { Database } from '../database/database.ts';
import { Failure } from '../failure.ts';

/**
 * Which resources a session wants to hear of, in the table `session_subscriptions`: the process that has its stream
 * open may be another one than that which took the subscription. Rows go with the session's.
 */
export interface Subscription {
  readonly server: string;
  /** As the server knows it. */
  readonly uri: string;
}

export interface SessionSubscriptions {
  /** Fails with `too_many_requests` beyond the limit of a session, and with `session_not_found` when it has ended. */
  add(sessionId: string, subscription: Subscription): Promise<void>;
  remove(sessionId: string, subscription: Subscription): Promise<void>;
  /** By session; nothing for one that has none. */
  read(sessionIds: readonly string[]): Promise<ReadonlyMap<string, readonly Subscription[]>>;
}

const mostOfSession = 1_000;

export function createSessionSubscriptions(database: Pick<Database, 'query'>): SessionSubscriptions {
  return {
    async add(sessionId, { server, uri }) {
      const [row] = await database.query<{ is_live: boolean; is_stored: boolean }>(
        `with live as (select id from sessions where id = $1),
         known as (select uri from session_subscriptions where session_id = $1 and server = $2 and uri = $3),
         added as (
           insert into session_subscriptions (session_id, server, uri)
           select id, $2, $3 from live
           where exists (select from known)
             or (select count(*) from session_subscriptions where session_id = $1) < $4::int
           on conflict (session_id, server, uri) do update set uri = excluded.uri returning uri
         )
         select exists (select from live) as is_live, exists (select from added) as is_stored`,
        [sessionId, server, uri, mostOfSession],
      );
      if (!row?.is_live)
        throw new Failure('session_not_found', 'Session not found; send `initialize` again.');
      if (!row.is_stored) throw tooManySubscriptions();
    },
    async remove(sessionId, { server, uri }) {
      await database.query(
        'delete from session_subscriptions where session_id = $1 and server = $2 and uri = $3',
        [sessionId, server, uri],
      );
    },
    async read(sessionIds) {
      const rows = await database.query<{ session_id: string; server: string; uri: string }>(
        `select session_id, server, uri from session_subscriptions
         where session_id = any($1::text[]) order by server, uri`,
        [sessionIds],
      );
      const found = new Map<string, Subscription[]>(sessionIds.map((id) => [id, []]));
      for (const { session_id: id, server, uri } of rows) found.get(id)?.push({ server, uri });
      return found;
    },
  };
}

/** The same for one process, gone when it ends: for tests, and for hosts without a database. */
export function createMemorySubscriptions(): SessionSubscriptions {
  const sessions = new Map<string, Map<string, Subscription>>();
  const keyOf = ({ server, uri }: Subscription) => `${server} ${uri}`;
  return {
    async add(sessionId, subscription) {
      const known = sessions.get(sessionId) ?? new Map<string, Subscription>();
      if (known.size >= mostOfSession && !known.has(keyOf(subscription))) throw tooManySubscriptions();
      sessions.set(sessionId, known.set(keyOf(subscription), subscription));
    },
    async remove(sessionId, subscription) {
      sessions.get(sessionId)?.delete(keyOf(subscription));
    },
    read: async (sessionIds) =>
      new Map(sessionIds.map((id) => [id, [...(sessions.get(id)?.values() ?? [])]])),
  };
}

function tooManySubscriptions(): Failure {
  return new Failure('too_many_requests', `A session has at most ${mostOfSession} subscriptions.`);
}
