/**
 * What the rest of the service knows of a database: SQL with `$1` parameters in, plain rows out. The same SQL
 * and the same contract tests run on Postgres (`pg`), PGlite (embedded) and Neon.
 *
 * Errors: whatever is wrong with the database itself (away, slow, locked, read-only, full), every function rejects with
 * the Failure `database_unavailable`, the kind in `details.reason`, and leaves its line in the log (`database-health.ts`).
 * Errors of a statement keep the SQLSTATE in `error.code`.
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
  /**
   * Commits what `work` did when it resolves, rolls back when it rejects. Each statement has 2.5 s, and the server
   * ends a transaction in which nothing happens for 5 s.
   */
  transaction<Result>(
    work: (transaction: Queryable) => Promise<Result>,
    options?: TransactionOptions,
  ): Promise<Result>;
  /** Why it cannot be used in full at the moment, in a sentence; undefined when nothing is wrong. Never rejects. */
  problem(): Promise<string | undefined>;
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

export interface TransactionOptions {
  /** Its statements, and their waits for locks, may take as long as they take. */
  readonly isUnlimited?: boolean;
}

export type Unlisten = () => Promise<void>;

/** Which database to open, as the settings say. */
export type DatabaseTarget = PostgresByUrl | PostgresFields | EmbeddedDatabase;

export interface PostgresByUrl {
  readonly kind: 'postgres';
  readonly connectionString: string;
}

export interface PostgresFields {
  readonly kind: 'postgres';
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  readonly password: string;
}

export interface EmbeddedDatabase {
  readonly kind: 'pglite';
  readonly directory: string;
}
