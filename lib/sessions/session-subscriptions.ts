import type { Database } from '../database/database.ts';
import { Failure } from '../failure.ts';

/**
 * The resources that a session is subscribed to, in the table `session_subscriptions`: the process with the session's
 * stream may be another one than the process that accepted the subscription. Rows are removed with the session's.
 */
export interface Subscription {
  readonly server: string;
  /** The server's own. */
  readonly uri: string;
}

export interface SessionSubscriptions {
  /** Fails with `too_many_requests` beyond the limit of a session, and with `session_not_found` when it has ended. */
  add(sessionId: string, subscription: Subscription): Promise<void>;
  remove(sessionId: string, subscription: Subscription): Promise<void>;
  /** By session; an empty list for a session without subscriptions. */
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

function tooManySubscriptions(): Failure {
  return new Failure('too_many_requests', `A session has at most ${mostOfSession} subscriptions.`);
}
