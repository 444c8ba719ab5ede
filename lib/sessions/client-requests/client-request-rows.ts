/** The statements on the table `client_requests`. Deadlines are judged with the database's clock alone. */
import type { Database } from '../../database/database.ts';

export interface ClientRequestRows {
  /** Also removes what is past its deadline, whoever asked. */
  insert(id: string, sessionId: string): Promise<void>;
  /** The same for what nobody could be sent yet: it may be claimed for so long. @param message the whole request. */
  hold(id: string, sessionId: string, message: string, seconds: number): Promise<void>;
  /** What is held for this session, in order; from now on it is the caller's to send. */
  claim(sessionId: string): Promise<HeldMessage[]>;
  /** It was claimed, and nobody reads it after all. */
  putBack(held: HeldMessage): Promise<void>;
  /** Removes what nobody has claimed; false: somebody has. */
  withdraw(id: string): Promise<boolean>;
  /**
   * Removes what nobody has claimed. What somebody has is not to be answered any more, and `message`, which tells the
   * client so, is held in its place: true.
   */
  takeBack(id: string, message: string, seconds: number): Promise<boolean>;
  /** True when that session was asked this, and nobody has answered yet. @param answer the whole message. */
  answer(id: string, sessionId: string, answer: string): Promise<boolean>;
  /** Removes and returns those of them that were answered. */
  takeAnswered(ids: readonly string[]): Promise<{ readonly id: string; readonly answer: string }[]>;
  remove(id: string): Promise<void>;
}

export interface HeldMessage {
  readonly id: string;
  readonly message: string;
}

/** Longer than any call may last: who asked gives up by itself, and this clears up after one that died. */
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
    hold: insert,
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
