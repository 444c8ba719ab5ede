import { createReconnectBackOff } from '../../async/back-off.ts';

/**
 * When a server that failed is started again: by itself, after growing pauses, and by a call, unless it failed
 * only just: callers of a dead server get their error at once.
 */
export interface Restarts {
  /** Plans the next start. `isFailedStart`: it did not even come up. */
  plan(isFailedStart: boolean): void;
  /** No start is planned any more. */
  cancel(): void;
  /** It is connected. */
  up(): void;
  /** Its connection has ended: after a good life the next failure is a first one. */
  down(): void;
  /** It serves: the next failure is a first one. */
  reset(): void;
  mayStartForCall(): boolean;
}

/** By transport: starting a process is dear, knocking at a port is not. */
export const restAfterFailureMs = { stdio: 1000, streamable_http: 100, sse: 100 };

/** A connection that lived this long was a good one. */
const goodLifeMs = 5000;

export interface RestartsOptions {
  /** Monotonic milliseconds. */
  readonly now: () => number;
  readonly start: () => void;
  /** How long a failed start keeps calls from trying again, ms. */
  readonly restMs: number;
}

export function createRestarts({ now, start, restMs }: RestartsOptions): Restarts {
  const backOff = createReconnectBackOff();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failedAt = Number.NEGATIVE_INFINITY;
  let upSince = Number.POSITIVE_INFINITY;

  function reset(): void {
    backOff.reset();
    failedAt = Number.NEGATIVE_INFINITY;
  }

  return {
    plan(isFailedStart) {
      if (isFailedStart) failedAt = now();
      clearTimeout(timer);
      timer = setTimeout(start, backOff.next());
    },
    cancel: () => clearTimeout(timer),
    up() {
      upSince = now();
    },
    down() {
      if (now() - upSince > goodLifeMs) reset();
    },
    reset,
    mayStartForCall: () => now() - failedAt >= restMs,
  };
}
