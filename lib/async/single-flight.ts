/** An attempt that concurrent callers share; once it has succeeded or failed, the next call begins another. */
export interface SingleFlight<Value> {
  isUnderWay(): boolean;
  /** The attempt that is under way, or a new one. */
  join(): Promise<Value>;
  /** Resolves when no attempt is under way. */
  settled(): Promise<void>;
  /**
   * Aborts the signal of the attempt that is under way; the next `join` begins another. Resolves when the attempt is
   * over.
   */
  abandon(reason: unknown): Promise<void>;
}

/** @param attempt Rejects soon after its signal is aborted. */
export function createSingleFlight<Value>(
  attempt: (signal: AbortSignal) => Promise<Value>,
): SingleFlight<Value> {
  let current: Promise<Value> | undefined;
  let controller = new AbortController();

  return {
    isUnderWay: () => current !== undefined,
    join() {
      if (current !== undefined) return current;
      const begun = attempt(controller.signal);
      current = begun;
      const clear = () => {
        if (current === begun) current = undefined;
      };
      begun.then(clear, clear);
      return begun;
    },
    async settled() {
      await current?.catch(() => {});
    },
    async abandon(reason) {
      const abandoned = current;
      current = undefined;
      controller.abort(reason);
      controller = new AbortController();
      await abandoned?.catch(() => {});
    },
  };
}

interface Read<Result> {
  readonly result: Promise<Result>;
  isStale: boolean;
}

export interface SingleFlightReadsOptions<Row, Result> {
  readonly read: (id: string) => Promise<Row>;
  /** Runs in the same step as the check for invalidations, so that no stale row can be cached. */
  readonly apply: (id: string, row: Row) => Result;
}

/**
 * Reads by id in which concurrent callers share one statement, and whose result is never older than the latest
 * `invalidate` of that id: an invalidation while a read is under way makes it read again.
 */
export function createSingleFlightReads<Row, Result>({ read, apply }: SingleFlightReadsOptions<Row, Result>) {
  const underWay = new Map<string, Read<Result>>();

  async function readUntilCurrent(id: string): Promise<Result> {
    while (true) {
      const row = await read(id);
      const state = underWay.get(id);
      if (!state?.isStale) return apply(id, row);
      state.isStale = false;
    }
  }

  return {
    read(id: string): Promise<Result> {
      const current = underWay.get(id);
      if (current) return current.result;
      const result = readUntilCurrent(id).finally(() => underWay.delete(id));
      underWay.set(id, { result, isStale: false });
      return result;
    },

    invalidate(id: string): void {
      const current = underWay.get(id);
      if (current) current.isStale = true;
    },

    invalidateAll(): void {
      for (const current of underWay.values()) current.isStale = true;
    },
  };
}
