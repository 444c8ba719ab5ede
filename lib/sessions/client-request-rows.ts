/** The statements on the table `client_requests`. Deadlines are judged with the database's clock alone. */
import type { Database } from '../database/database.ts';

export interface ClientRequestRows {
  /** Also removes what is past its deadline, whoever asked. */
  insert(id: string, sessionId: string): Promise<void>;
  /** True when that session was asked this, and nobody has answered yet. @param answer the whole message. */
  answer(id: string, sessionId: string, answer: string): Promise<boolean>;
  /** Removes and returns those of them that were answered. */
  takeAnswered(ids: readonly string[]): Promise<{ readonly id: string; readonly answer: string }[]>;
  remove(id: string): Promise<void>;
}

/** Longer than any call may last: who asked gives up by itself, and this clears up after one that died. */
const longestSeconds = 3_600;

export function createClientRequestRows(database: Pick<Database, 'query'>): ClientRequestRows {
  return {
    async insert(id, sessionId) {
      await database.query(
        `with expired as (delete from client_requests where deadline < now())
        insert into client_requests (id, session_id, deadline)
        values ($1, $2, now() + make_interval(secs => $3))`,
        [id, sessionId, longestSeconds],
        'insert-client-request',
      );
    },
    async answer(id, sessionId, answer) {
      const rows = await database.query(
        `update client_requests set answer = $3
        where id = $1 and session_id = $2 and answer is null and deadline > now() returning id`,
        [id, sessionId, answer],
      );
      return rows.length > 0;
    },
    async takeAnswered(ids) {
      return await database.query(
        'delete from client_requests where id = any($1::text[]) and answer is not null returning id, answer',
        [ids],
        'take-client-answers',
      );
    },
    async remove(id) {
      await database.query('delete from client_requests where id = $1', [id]);
    },
  };
}
