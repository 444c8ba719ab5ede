import { createBackOff } from '../../async/back-off.ts';

/** Tells when a connection was not used for its `idleStopSeconds`. One timer, set anew only when it ran out. */
export interface IdleWatch {
  start(): void;
  stop(): void;
  /** It is being used now. */
  touch(): void;
  /** When it last was, by `now`. */
  usedAt(): number;
}

export interface IdleWatchOptions {
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** 0: never idle. */
  readonly idleMs: number;
  readonly isBusy: () => boolean;
  readonly onIdle: () => void;
}

const shortestLookMs = 250;

export function createIdleWatch({ now, idleMs, isBusy, onIdle }: IdleWatchOptions): IdleWatch {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let usedAt = 0;

  function look(): void {
    if (isBusy()) usedAt = now();
    const restMs = usedAt + idleMs - now();
    if (restMs <= 0) onIdle();
    else timer = setTimeout(look, Math.max(restMs, shortestLookMs));
  }

  return {
    start() {
      if (idleMs === 0) return;
      usedAt = now();
      clearTimeout(timer);
      timer = setTimeout(look, idleMs);
    },
    stop: () => clearTimeout(timer),
    touch() {
      usedAt = now();
    },
    usedAt: () => usedAt,
  };
}

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
  const backOff = createBackOff();
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
