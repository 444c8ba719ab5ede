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
