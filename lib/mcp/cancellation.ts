import type { CancelSignal } from '../upstreams/upstreams.ts';

/** What an AbortController does for one call, at a tenth of its price: every call needs one, few are cancelled. */
export interface Cancellation {
  readonly signal: CancelSignal;
  abort(): void;
}

export function createCancellation(): Cancellation {
  const listeners = new Set<() => void>();
  let reason: Error | undefined;

  return {
    signal: {
      get aborted() {
        return reason !== undefined;
      },
      get reason() {
        return reason;
      },
      addEventListener: (_type, listener) => void listeners.add(listener),
      removeEventListener: (_type, listener) => void listeners.delete(listener),
    },
    abort() {
      if (reason !== undefined) return;
      reason = new Error('cancelled');
      for (const listener of listeners) listener();
      listeners.clear();
    },
  };
}
