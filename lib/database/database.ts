/**
 * What the rest of the service knows of a database: SQL with `$1` parameters in, plain rows out. The same SQL
 * and the same contract tests run on Postgres (`pg`), PGlite (embedded) and Neon.
 *
 * Errors: when the server cannot be reached, does not answer in time or drops the connection, every function
 * rejects with the Failure `database_unavailable`. Errors of a statement keep the SQLSTATE in `error.code`.
 * Write SQL so that no column is `bigint` (a string in pg, a number in PGlite): cast to `int` or `text`.
 */
export interface Queryable {
  /** @param name Prepares the statement once per connection under this name (session lookups). */
  query<Row = Record<string, unknown>>(
    text: string,
    values?: readonly unknown[],
    name?: string,
  ): Promise<Row[]>;
}

export interface Database extends Queryable {
  readonly kind: 'postgres' | 'pglite' | 'neon';
  /** Where it is, for the start-up text: host and database name, or the folder. Never a password. */
  readonly label: string;
  /** Commits what `work` did when it resolves, rolls back when it rejects. */
  transaction<Result>(work: (transaction: Queryable) => Promise<Result>): Promise<Result>;
  /**
   * Calls `onPayload` for each NOTIFY on `channel`, reconnecting with capped back-off for as long as it is
   * listened to. `onGap` runs after each time that notifications may have been missed, once they flow again;
   * `onBroken` when they cease to.
   * Absent on hosts whose connections end with the request.
   */
  listen?(
    channel: string,
    onPayload: (payload: string) => void,
    onGap: () => void,
    onBroken?: () => void,
  ): Promise<Unlisten>;
  close(): Promise<void>;
}

export type Unlisten = () => Promise<void>;
