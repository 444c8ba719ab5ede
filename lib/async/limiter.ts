/**
 * Starts many servers a few at a time, so that a boot with fifty servers does not load the machine at once. A start that
 * takes long gives its place to the next one and goes on: a dead server never delays the others.
 */
export type Limiter = <Result>(start: () => Promise<Result>) => Promise<Result>;

export function createLimiter(options: { places?: number; timeoutMs?: number } = {}): Limiter {
  const { places = 4, timeoutMs = 2_000 } = options;
  const waiting: (() => void)[] = [];
  let taken = 0;

  const leave = () => {
    const next = waiting.shift();
    if (next) next();
    else taken--;
  };
  const enter = () => {
    if (taken >= places) return new Promise<void>((resolve) => waiting.push(resolve));
    taken++;
    return Promise.resolve();
  };

  return async (start) => {
    await enter();
    let hasLeft = false;
    const leaveOnce = () => {
      if (hasLeft) return;
      hasLeft = true;
      leave();
    };
    const timer = setTimeout(leaveOnce, timeoutMs);
    try {
      return await start();
    } finally {
      clearTimeout(timer);
      leaveOnce();
    }
  };
}
