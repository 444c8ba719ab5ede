/**
 * When to start a server again. The first restart after a connection that served is immediate; then the pause
 * doubles from 0.25 to 30 s. A connection that lived, or answered, clears the record.
 */
export interface BackOff {
  /** Pause before the next attempt, ms. */
  next(): number;
  reset(): void;
}

const firstPauseMs = 250;
const longestPauseMs = 30_000;

export function createBackOff(): BackOff {
  let attempts = 0;
  return {
    next() {
      const pause = attempts === 0 ? 0 : Math.min(longestPauseMs, firstPauseMs * 2 ** (attempts - 1));
      attempts++;
      return pause;
    },
    reset() {
      attempts = 0;
    },
  };
}
