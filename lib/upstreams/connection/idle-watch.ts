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
