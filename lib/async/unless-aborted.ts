import type { CancelSignal } from './cancellation.ts';

/**
 * The outcome of `promise`, or the reason of `signal` as soon as that is aborted. What waited is then free, however long
 * the promise takes.
 */
export function unlessAborted<Value>(promise: Promise<Value>, signal: CancelSignal): Promise<Value> {
  if (signal.aborted) return Promise.reject(signal.reason);
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    const over = () => signal.removeEventListener('abort', onAbort);
    signal.addEventListener('abort', onAbort);
    promise.then(resolve, reject).then(over);
  });
}
