/**
 * The fault of a database, recognized by the SQLSTATE of a driver's or server's error (Postgres, appendix A), never by
 * the text, which may be in any language. Each kind is one sentence for callers, who all get the code
 * `database_unavailable` and find the kind in `details.reason`.
 */
import { type DatabaseFault, databaseAway, databaseUnavailable, type Failure } from '../failure.ts';

const faults = {
  away: databaseAway,
  refused: {
    sentence: 'The database refuses our connections; its address, user and password have to be looked at.',
    retryAfterSeconds: 10,
  },
  timed_out: {
    sentence: 'The database did not answer in time; try again shortly.',
    retryAfterSeconds: 2,
  },
  locked: {
    sentence: 'Somebody else holds a lock in the database that this needs; try again shortly.',
    retryAfterSeconds: 2,
  },
  overloaded: {
    sentence: 'The database has no memory or no connection left; try again shortly.',
    retryAfterSeconds: 2,
  },
  busy: {
    sentence: 'Too much waits for the database already; try again shortly.',
    retryAfterSeconds: 2,
  },
  read_only: {
    sentence:
      'The database is read-only at the moment and stores nothing; what is open goes on, try again later.',
    retryAfterSeconds: 5,
  },
  full: {
    sentence:
      'The disk of the database is full and it stores nothing; what is open goes on, try again later.',
    retryAfterSeconds: 5,
  },
  broken: {
    sentence: 'The disk of the database fails; its operator has to look at it.',
    retryAfterSeconds: 10,
  },
} as const satisfies Record<string, Omit<DatabaseFault, 'reason'>>;

export type FaultReason = keyof typeof faults;

/** By SQLSTATE; the first match counts. */
const states: readonly (readonly [RegExp, FaultReason])[] = [
  [/^25006$/, 'read_only'],
  [/^53100$/, 'full'],
  [/^53/, 'overloaded'],
  [/^(55P03|40P01)$/, 'locked'],
  [/^(57014|25P0[34]|57P05)$/, 'timed_out'],
  [/^(58030|XX00[12])$/, 'broken'],
  [/^(28...|3D000)$/, 'refused'],
  [/^(08...|57P..)$/, 'away'],
];

/** After these errors the server has closed the connection, or is about to: it is useless. */
const endingStates = /^(08...|57P..|53300|25P0[34]|28...|3D000)$/;

export function databaseFailure(reason: FaultReason, cause?: unknown): Failure {
  const { sentence, retryAfterSeconds } = faults[reason];
  return databaseUnavailable(cause, { reason, sentence, retryAfterSeconds });
}

/** The failure for an error of a statement; undefined for an error in the statement itself, or in our values. */
export function toDatabaseFailure(error: unknown): Failure | undefined {
  if (isOurMistake(error)) return undefined;
  const state = stateOf(error);
  if (state === undefined) return databaseFailure(isTimeOut(error) ? 'timed_out' : 'away', error);
  const reason = reasonOf(state);
  return reason && databaseFailure(reason, error);
}

/** For callers, every obstacle to a connection is a fault of the database. */
export function toConnectionFailure(error: unknown): Failure {
  return databaseFailure(reasonOf(stateOf(error) ?? '') ?? 'away', error);
}

/** The connection that this error came from is useless. */
export function endsConnection(error: unknown): boolean {
  const state = stateOf(error);
  return state === undefined ? !isOurMistake(error) : endingStates.test(state);
}

/**
 * The SQLSTATE of an error that the server sent, recognized by its severity. A driver's error without one is a lost
 * connection or a time-out, and its `code`, if any, is one of the operating system.
 */
export function stateOf(error: unknown): string | undefined {
  const { code, severity } = error as { code?: unknown; severity?: unknown };
  return severity === undefined || typeof code !== 'string' ? undefined : code;
}

function reasonOf(state: string): FaultReason | undefined {
  return states.find(([pattern]) => pattern.test(state))?.[1];
}

function isOurMistake(error: unknown): boolean {
  return error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError;
}

/** The driver's limit for one statement was reached. */
function isTimeOut(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout';
}

/** Rejects with `database_unavailable` when `reading` takes longer: for callers that can do without the result. */
export async function withDatabaseTimeout<Result>(
  reading: Promise<Result>,
  timeoutMs: number,
): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const overdue = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(databaseUnavailable()), timeoutMs);
  });
  try {
    return await Promise.race([reading, overdue]);
  } finally {
    clearTimeout(timer);
  }
}
