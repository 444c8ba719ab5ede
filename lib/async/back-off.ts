/** Pauses between attempts, each twice as long as the one before. */
export interface BackOff {
  /** Pause before the next attempt, ms. */
  next(): number;
  /** The next pause is the first one again. */
  reset(): void;
}

export function createBackOff(pauses: { readonly firstMs: number; readonly longestMs: number }): BackOff {
  let pauseMs = pauses.firstMs;
  return {
    next() {
      const current = pauseMs;
      pauseMs = Math.min(pauses.longestMs, pauseMs * 2);
      return current;
    },
    reset() {
      pauseMs = pauses.firstMs;
    },
  };
}

/** For connections to servers: the first restart after a connection that served is immediate. */
export function createReconnectBackOff(): BackOff {
  const pauses = createBackOff({ firstMs: 250, longestMs: 30_000 });
  let isFirst = true;
  return {
    next() {
      if (!isFirst) return pauses.next();
      isFirst = false;
      return 0;
    },
    reset() {
      isFirst = true;
      pauses.reset();
    },
  };
}
