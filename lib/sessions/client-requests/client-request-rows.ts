import type { Database } from '../../database/database.ts';
/** The statements on the table `client_requests`. Deadlines are judged with the database's clock alone. */

export interface ClientRequestRows {
  /** Also removes all rows past their deadline. */
  insert(id: string, sessionId: string): Promise<void>;
  /** The same for a request that is not sent yet: it may be claimed for so long. @param message the whole request. */
  insertUnsent(id: string, sessionId: string, message: string, seconds: number): Promise<void>;
  /** The unsent messages of this session, in order; the caller sends them. */
  claim(sessionId: string): Promise<UnsentMessage[]>;
  /** A claimed message could not be sent. */
  putBack(unsent: UnsentMessage): Promise<void>;
  /** Removes a request that is not claimed; false: it is. */
  withdraw(id: string): Promise<boolean>;
  /**
   * Removes a request that is not claimed. A claimed one cannot be answered any more, and `message`, which notifies the
   * client of that, is unsent in its place: true.
   */
  takeBack(id: string, message: string, seconds: number): Promise<boolean>;
  /** True when the session was asked this, and has not answered yet. @param answer the whole message. */
  answer(id: string, sessionId: string, answer: string): Promise<boolean>;
  /** Removes and returns the answered ones. */
  takeAnswered(ids: readonly string[]): Promise<{ readonly id: string; readonly answer: string }[]>;
  remove(id: string): Promise<void>;
}

export interface UnsentMessage {
  readonly id: string;
  readonly message: string;
}

/** Longer than any call may last: processes give up earlier, and this clears up after one that died. */
const longestSeconds = 3_600;

export function createClientRequestRows(database: Pick<Database, 'query'>): ClientRequestRows {
  async function insert(id: string, sessionId: string, message: string | null, seconds: number) {
    await database.query(
      `with expired as (delete from client_requests where deadline < now())
      insert into client_requests (id, session_id, message, deadline)
      values ($1, $2, $3, now() + make_interval(secs => $4))`,
      [id, sessionId, message, seconds],
      'insert-client-request',
    );
  }

  return {
    insert: (id, sessionId) => insert(id, sessionId, null, longestSeconds),
    insertUnsent: insert,
    async claim(sessionId) {
      return await database.query<{ id: string; message: string }>(
        `with held as (
          select id, message from client_requests
          where session_id = $1 and message is not null and deadline > now()
          order by created_at, id for update skip locked
        ), taken as (
          update client_requests set message = null,
            deadline = case when answer is null then now() + make_interval(secs => $2) else deadline end
          from held where client_requests.id = held.id
        )
        select id, message from held`,
        [sessionId, longestSeconds],
        'claim-client-requests',
      );
    },
    async putBack({ id, message }) {
      await database.query('update client_requests set message = $2 where id = $1 and message is null', [
        id,
        message,
      ]);
    },
    async withdraw(id) {
      const rows = await database.query(
        'delete from client_requests where id = $1 and message is not null returning id',
        [id],
      );
      return rows.length > 0;
    },
    async takeBack(id, message, seconds) {
      const rows = await database.query(
        `with unsent as (delete from client_requests where id = $1 and message is not null)
        update client_requests set message = $2, answer = '', deadline = now() + make_interval(secs => $3)
        where id = $1 and message is null and answer is null returning id`,
        [id, message, seconds],
      );
      return rows.length > 0;
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
