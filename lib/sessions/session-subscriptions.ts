import type { Database } from '../database/database.ts';
import { Failure } from '../http/failure.ts';

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
  /** Fails with `too_many_requests` beyond the limit of a session. */
  add(sessionId: string, subscription: Subscription): Promise<void>;
  remove(sessionId: string, subscription: Subscription): Promise<void>;
  read(sessionId: string): Promise<readonly Subscription[]>;
}

const mostOfSession = 1_000;

export function createSessionSubscriptions(database: Pick<Database, 'query'>): SessionSubscriptions {
  return {
    async add(sessionId, { server, uri }) {
      const rows = await database.query(
        `insert into session_subscriptions (session_id, server, uri)
         select id, $2, $3 from sessions where id = $1
           and (select count(*) from session_subscriptions where session_id = $1) < $4::int
         on conflict (session_id, server, uri) do update set uri = excluded.uri
         returning session_id`,
        [sessionId, server, uri, mostOfSession],
      );
      if (rows.length === 0) throw tooManySubscriptions();
    },
    async remove(sessionId, { server, uri }) {
      await database.query(
        'delete from session_subscriptions where session_id = $1 and server = $2 and uri = $3',
        [sessionId, server, uri],
      );
    },
    read: (sessionId) =>
      database.query<{ server: string; uri: string }>(
        'select server, uri from session_subscriptions where session_id = $1 order by server, uri',
        [sessionId],
      ),
  };
}

/** The same for one process, gone when it ends: for tests, and for hosts without a database. */
export function createMemorySubscriptions(): SessionSubscriptions {
  const sessions = new Map<string, Map<string, Subscription>>();
  const keyOf = ({ server, uri }: Subscription) => `${server} ${uri}`;
  return {
    async add(sessionId, subscription) {
      const known = sessions.get(sessionId) ?? new Map<string, Subscription>();
      if (known.size >= mostOfSession) throw tooManySubscriptions();
      sessions.set(sessionId, known.set(keyOf(subscription), subscription));
    },
    async remove(sessionId, subscription) {
      sessions.get(sessionId)?.delete(keyOf(subscription));
    },
    read: async (sessionId) => [...(sessions.get(sessionId)?.values() ?? [])],
  };
}

function tooManySubscriptions(): Failure {
  return new Failure('too_many_requests', `A session has at most ${mostOfSession} subscriptions.`);
}
