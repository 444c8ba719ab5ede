/** Pauses between attempts, each twice as long as the one before. */
export interface BackOff {
  /** Pause before the next attempt, ms. */
  next(): number;
  reset(): void;
}

export interface BackOffOptions {
  readonly firstMs: number;
  readonly longestMs: number;
  /** The first attempt needs no pause. */
  readonly startsAtOnce?: boolean;
}

/** For connections to servers: the first restart after a connection that served is immediate. */
export const reconnectPauses: BackOffOptions = { firstMs: 250, longestMs: 30_000, startsAtOnce: true };

export function createBackOff({ firstMs, longestMs, startsAtOnce = false }: BackOffOptions): BackOff {
  const start = startsAtOnce ? -1 : 0;
  let attempts = start;
  return {
    next() {
      const pauseMs = attempts < 0 ? 0 : Math.min(longestMs, firstMs * 2 ** attempts);
      attempts++;
      return pauseMs;
    },
    reset() {
      attempts = start;
    },
  };
}
