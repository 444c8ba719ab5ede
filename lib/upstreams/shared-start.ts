/** A start that all who ask meanwhile share, and that is forgotten once it is over, well or badly. */
export interface SharedStart<Value> {
  isUnderWay(): boolean;
  /** Begins one unless one is under way. `after` is waited for first. */
  join(after?: Promise<void>): Promise<Value>;
  /** Resolves when none is under way. */
  settled(): Promise<void>;
  /** Gives up the one under way: its signal is aborted, and the next `join` begins another. */
  abandon(reason: unknown): void;
}

/** @param attempt Rejects soon after its signal is aborted. */
export function createSharedStart<Value>(
  attempt: (signal: AbortSignal) => Promise<Value>,
): SharedStart<Value> {
  let current: Promise<Value> | undefined;
  let controller = new AbortController();

  async function begin(after: Promise<void> | undefined): Promise<Value> {
    const { signal } = controller;
    await after;
    signal.throwIfAborted();
    return await attempt(signal);
  }

  return {
    isUnderWay: () => current !== undefined,
    join(after) {
      if (current !== undefined) return current;
      const begun = begin(after);
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
    abandon(reason) {
      controller.abort(reason);
      controller = new AbortController();
      current = undefined;
    },
  };
}
