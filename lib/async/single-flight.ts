/** A start that all who ask meanwhile share, and that is forgotten once it is over, well or badly. */
export interface SingleFlight<Value> {
  isUnderWay(): boolean;
  /** Begins one unless one is under way. */
  join(): Promise<Value>;
  /** Resolves when none is under way. */
  settled(): Promise<void>;
  /**
   * Gives up the one under way: its signal is aborted, and the next `join` begins another. Resolves when the attempt is
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
      const forget = () => {
        if (current === begun) current = undefined;
      };
      begun.then(forget, forget);
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

/**
 * Reads by id in which concurrent callers share one statement, and whose result is never older than the
 * latest news about that id: news that come while a read is under way make it read again.
 */
interface Read<Result> {
  readonly result: Promise<Result>;
  isOutdated: boolean;
}

export interface SingleFlightReadsOptions<Row, Result> {
  readonly read: (id: string) => Promise<Row>;
  /** Runs in the same step as the check for news, so that nothing outdated can be kept. */
  readonly keep: (id: string, row: Row) => Result;
}

export function createSingleFlightReads<Row, Result>({ read, keep }: SingleFlightReadsOptions<Row, Result>) {
  const underWay = new Map<string, Read<Result>>();

  async function readUntilCurrent(id: string): Promise<Result> {
    while (true) {
      const row = await read(id);
      const state = underWay.get(id);
      if (!state?.isOutdated) return keep(id, row);
      state.isOutdated = false;
    }
  }

  return {
    read(id: string): Promise<Result> {
      const current = underWay.get(id);
      if (current) return current.result;
      const result = readUntilCurrent(id).finally(() => underWay.delete(id));
      underWay.set(id, { result, isOutdated: false });
      return result;
    },

    outdate(id: string): void {
      const current = underWay.get(id);
      if (current) current.isOutdated = true;
    },

    outdateAll(): void {
      for (const current of underWay.values()) current.isOutdated = true;
    },
  };
}
