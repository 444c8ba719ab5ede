import { Failure } from '../failure.ts';

/**
 * Whether there is room for one more session. The rows of all processes are counted once in a while and not for each
 * session: between two counts a process goes by what it added itself, so that several together may exceed the limit by a
 * twentieth each. When it is full, sessions that nobody uses any more make room, a twentieth at a time: clients seldom end
 * theirs, and who opens many must not keep others out.
 */
export interface SessionRoom {
  /** @throws Failure `too_many_requests`, or what `count` throws. The caller says `settled` when it has written its row. */
  enter(): Promise<void>;
  settled(): void;
}

export interface SessionRoomOptions {
  readonly most: number;
  readonly count: () => Promise<number>;
  /** Ends at most so many sessions that were not used for long, and tells how many. */
  readonly makeRoom: (wanted: number) => Promise<number>;
  /** Monotonic milliseconds. */
  readonly now: () => number;
}

const twentieth = 0.05;
/** While it is full, ms. */
const countAgainMs = 1000;
const retryAfterSeconds = 30;

export function createSessionRoom({ most, count, makeRoom, now }: SessionRoomOptions): SessionRoom {
  let counted: number | undefined;
  let countedAt = Number.NEGATIVE_INFINITY;
  /** Written since the last count began, and on the way to be. */
  let added = 0;
  let entering = 0;
  let counting: Promise<void> | undefined;

  async function countRows(): Promise<void> {
    const before = added;
    counted = await count();
    countedAt = now();
    added -= before;
    if (isFull()) counted -= await makeRoom(Math.max(1, Math.floor(most * twentieth)));
  }

  function recount(): Promise<void> {
    counting ??= countRows().finally(() => {
      counting = undefined;
    });
    return counting;
  }

  function isFull(): boolean {
    return counted === undefined || counted + added + entering >= most;
  }

  return {
    async enter() {
      if (isFull() && now() - countedAt >= countAgainMs) await recount();
      else if (added > most * twentieth) recount().catch(() => {});
      if (isFull()) throw full(most);
      entering += 1;
    },
    settled() {
      entering -= 1;
      added += 1;
    },
  };
}

function full(most: number): Failure {
  return new Failure(
    'too_many_requests',
    `There are ${most} sessions already (MAX_SESSIONS); end some with DELETE, or try again later.`,
    { headers: { 'Retry-After': String(retryAfterSeconds) } },
  );
}
