/**
 * Calls back for calls that take long. One coarse timer serves all of them, because nearly every call is over before: a
 * timer for each call would cost more than the rest of this.
 */
export interface SlowCallTimer {
  /** `onLong` is called once, after `ms` to twice as long, unless the entry is deleted before. */
  add(onLong: () => void): Waiting;
  delete(waiting: Waiting): void;
}

/** Emptied when the call is over: see `emptying-map.ts`. */
export interface Waiting {
  onLong: (() => void) | undefined;
}

export function createSlowCallTimer(ms: number): SlowCallTimer {
  let younger = new Set<Waiting>();
  let older = new Set<Waiting>();
  let isTicking = false;

  function tick(): void {
    isTicking = true;
    setTimeout(turn, ms);
  }

  function turn(): void {
    const overdue = older;
    older = younger;
    younger = new Set();
    isTicking = false;
    if (older.size > 0) tick();
    for (const { onLong } of overdue) onLong?.();
  }

  return {
    add(onLong) {
      const waiting = { onLong };
      younger.add(waiting);
      if (!isTicking) tick();
      return waiting;
    },
    delete(waiting) {
      waiting.onLong = undefined;
      if (!younger.delete(waiting)) older.delete(waiting);
    },
  };
}
