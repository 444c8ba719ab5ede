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
