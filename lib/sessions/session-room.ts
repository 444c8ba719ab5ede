import { Failure } from '../failure.ts';

/**
 * Whether there is room for one more session. The rows of all processes are counted once in a while and not for each
 * session: between two counts a process adds only its own new sessions, so that several together may exceed the limit by
 * a twentieth each. When there is no room, the idlest sessions are removed, a twentieth at a time: clients seldom end
 * theirs, and a client that opens many must not keep others out.
 */
export interface SessionRoom {
  /** @throws Failure `too_many_requests`, or an error of `count`. The caller calls `added` after it has written the row. */
  enter(): Promise<void>;
  added(): void;
  /** Resolves once no count is under way: from then on no session is removed, unless another one enters. */
  settled(): Promise<void>;
}

export interface SessionRoomOptions {
  readonly most: number;
  readonly count: () => Promise<number>;
  /** Removes at most so many sessions that were not used for long, and resolves to their number. */
  readonly makeRoom: (wanted: number) => Promise<number>;
  /** Monotonic milliseconds. */
  readonly now: () => number;
}

const twentieth = 0.05;
/** While there is no room, ms. */
const countAgainMs = 1000;
const retryAfterSeconds = 30;

export function createSessionRoom({ most, count, makeRoom, now }: SessionRoomOptions): SessionRoom {
  let counted: number | undefined;
  let countedAt = Number.NEGATIVE_INFINITY;
  /** Written since the last count began, and about to be written. */
  let addedRows = 0;
  let entering = 0;
  let counting: Promise<void> | undefined;

  async function countRows(): Promise<void> {
    const before = addedRows;
    counted = await count();
    countedAt = now();
    addedRows -= before;
    if (isFull()) counted -= await makeRoom(Math.max(1, Math.floor(most * twentieth)));
  }

  function recount(): Promise<void> {
    counting ??= countRows().finally(() => {
      counting = undefined;
    });
    return counting;
  }

  function isFull(): boolean {
    return counted === undefined || counted + addedRows + entering >= most;
  }

  return {
    async enter() {
      if (isFull() && now() - countedAt >= countAgainMs) await recount();
      else if (addedRows > most * twentieth) recount().catch(() => {});
      if (isFull()) throw full(most);
      entering += 1;
    },
    added() {
      entering -= 1;
      addedRows += 1;
    },
    settled: async () => await counting?.catch(() => {}),
  };
}

function full(most: number): Failure {
  return new Failure(
    'too_many_requests',
    `There are ${most} sessions already (MAX_SESSIONS); end some with DELETE, or try again later.`,
    { headers: { 'Retry-After': String(retryAfterSeconds) } },
  );
}
