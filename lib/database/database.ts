/**
 * The service's interface to a database: SQL with `$1` parameters in, plain rows out. The same SQL and the same
 * contract tests run on Postgres (`pg`), PGlite (embedded) and Neon.
 *
 * Errors: for every fault of the database itself (away, slow, locked, read-only, full), every function rejects with the
 * Failure `database_unavailable`, the kind in `details.reason`, and the fault is logged (`database-health.ts`). Errors
 * of a statement retain the SQLSTATE in `error.code`. Write SQL so that no column is `bigint` (a string in pg, a number
 * in PGlite): cast to `int` or `text`.
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
  /** For the start-up text: host and database name, or the folder. Never a password. */
  readonly label: string;
  /**
   * Commits the statements of `work` when it resolves, rolls back when it rejects. Each statement has 2.5 s, and the
   * server ends a transaction that is idle for 5 s.
   */
  transaction<Result>(
    work: (transaction: Queryable) => Promise<Result>,
    options?: TransactionOptions,
  ): Promise<Result>;
  /**
   * A sentence that says why the database cannot be used in full at the moment; undefined when all is well. Never
   * rejects.
   */
  problem(): Promise<string | undefined>;
  /**
   * Calls `onPayload` for each NOTIFY on `channel`, reconnecting with capped back-off until it is closed. `onGap` runs
   * after each time that notifications may have been missed, once they arrive again; `onBroken` when they cease to.
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
  /** Its statements, and their waits for locks, have no limit in time. */
  readonly isUnlimited?: boolean;
}

export type Unlisten = () => Promise<void>;

/** The database to open, by the settings. */
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
