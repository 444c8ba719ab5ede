import { createBackOff, reconnectPauses } from '../../async/back-off.ts';

/** Stops a connection that was not used for `idleMs`. One timer, which is set again only when it has fired. */
export interface IdleTimer {
  start(): void;
  stop(): void;
  /** The connection is used now. */
  touch(): void;
  /** When the connection was last used, by `now`. */
  usedAt(): number;
}

export interface IdleTimerOptions {
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** 0: never idle. */
  readonly idleMs: number;
  readonly isBusy: () => boolean;
  readonly onIdle: () => void;
}

const shortestPauseMs = 250;

export function createIdleTimer({ now, idleMs, isBusy, onIdle }: IdleTimerOptions): IdleTimer {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let usedAt = 0;

  function check(): void {
    if (isBusy()) usedAt = now();
    const restMs = usedAt + idleMs - now();
    if (restMs <= 0) onIdle();
    else timer = setTimeout(check, Math.max(restMs, shortestPauseMs));
  }

  return {
    start() {
      if (idleMs === 0) return;
      usedAt = now();
      clearTimeout(timer);
      timer = setTimeout(check, idleMs);
    },
    stop: () => clearTimeout(timer),
    touch() {
      usedAt = now();
    },
    usedAt: () => usedAt,
  };
}

/**
 * Starts a failed server again: by itself after growing pauses, and for a call unless it has failed only just, so that
 * calls to a dead server fail at once.
 */
export interface Restarts {
  /** Plans the next start. `isFailedStart`: the last one failed; otherwise the connection ended. */
  plan(isFailedStart: boolean): void;
  /** Cancels the planned start. */
  cancel(): void;
  /** The connection is open. */
  up(): void;
  /** The connection has ended; after `goodLifeMs` this counts as a first failure. */
  down(): void;
  /** The server has answered: the next failure counts as a first one. */
  reset(): void;
  mayStartForCall(): boolean;
}

/** By transport: starting a process is expensive, connecting to a port is not. */
export const restAfterFailureMs = { stdio: 1000, streamable_http: 100, sse: 100 };

const goodLifeMs = 5000;

export interface RestartsOptions {
  /** Monotonic milliseconds. */
  readonly now: () => number;
  readonly start: () => void;
  /** For how long after a failed start calls do not cause another, ms. */
  readonly restMs: number;
}

export function createRestarts({ now, start, restMs }: RestartsOptions): Restarts {
  const backOff = createBackOff(reconnectPauses);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let hasFailed = false;
  let failedStartAt = Number.NEGATIVE_INFINITY;
  let upSince = Number.POSITIVE_INFINITY;

  /** Called for every answer, and therefore returns at once when there is nothing to reset. */
  function reset(): void {
    if (!hasFailed) return;
    hasFailed = false;
    backOff.reset();
    failedStartAt = Number.NEGATIVE_INFINITY;
  }

  return {
    plan(isFailedStart) {
      hasFailed = true;
      if (isFailedStart) failedStartAt = now();
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
    mayStartForCall: () => now() - failedStartAt >= restMs,
  };
}
