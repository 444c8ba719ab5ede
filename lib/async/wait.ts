import type { CancelSignal } from './cancellation.ts';

/** Milliseconds by a clock that nobody sets. */
export const monotonicMs: () => number = performance.now.bind(performance);

/** Resolves after so many milliseconds, or as soon as `signal` is aborted. */
export function pause(milliseconds: number, signal?: CancelSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal?.addEventListener('abort', end);
  });
}

/** Lets other work run in the middle of long work. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

const pollEveryMs = 20;

/** Resolves as soon as `isSo`, or after `limitMs`; true when it is so. */
export async function until(isSo: () => boolean, limitMs: number): Promise<boolean> {
  const deadline = performance.now() + limitMs;
  while (!isSo()) {
    const leftMs = deadline - performance.now();
    if (leftMs <= 0) return false;
    await pause(Math.min(pollEveryMs, leftMs));
  }
  return true;
}

/** The outcome of `promise` if it comes within so many milliseconds, else that of `onTimeout`, which may throw. */
export async function withTimeout<Value, Late>(
  promise: Promise<Value>,
  limitMs: number,
  onTimeout: () => Late,
): Promise<Value | Late> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, limitMs);
  });
  try {
    return await Promise.race([promise, late.then(onTimeout)]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * The outcome of `promise`, or the reason of `signal` as soon as that is aborted, however long the promise takes. A
 * rejection after the abort is dropped.
 */
export function unlessAborted<Value>(promise: Promise<Value>, signal: CancelSignal): Promise<Value> {
  if (signal.aborted) {
    promise.catch(() => {});
    return Promise.reject(signal.reason);
  }
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    const over = () => signal.removeEventListener('abort', onAbort);
    signal.addEventListener('abort', onAbort);
    promise.then(resolve, reject).then(over);
  });
}
