/** The part of an AbortSignal that a call needs. A real AbortSignal fits, but costs more than the rest of the call. */
export interface CancelSignal {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** An AbortController for one call, at a tenth of the cost: every call needs one, few are cancelled. */
export interface Cancellation {
  readonly signal: CancelSignal;
  /** @param reason Absent: the client has cancelled the call. */
  abort(reason?: Error): void;
}

export function createCancellation(): Cancellation {
  const signal = new Signal();
  return { signal, abort: (reason) => signal.abort(reason) };
}

/**
 * A class, because of the getters: in an object literal they would give each object a hidden class of its own, which V8
 * allocates in old space, where it keeps all objects of the call from being collected young.
 */
class Signal implements CancelSignal {
  #listeners: (() => void)[] = [];
  #reason: Error | undefined;

  get aborted(): boolean {
    return this.#reason !== undefined;
  }

  get reason(): Error | undefined {
    return this.#reason;
  }

  addEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners.push(listener);
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    const at = this.#listeners.indexOf(listener);
    if (at >= 0) this.#listeners.splice(at, 1);
  }

  abort(reason = new Error('cancelled')): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    const listeners = this.#listeners;
    this.#listeners = [];
    for (const listener of listeners) listener();
  }
}

/**
 * One signal that is aborted when any of several others is. `release` removes the listeners from the others, some of
 * which live as long as the service. `AbortSignal.any` does not take the Node adapter's signals; this takes any class.
 */
export interface AnySignal {
  readonly signal: AbortSignal;
  abort(): void;
  release(): void;
}

export function anySignal(others: readonly AbortSignal[]): AnySignal {
  const controller = new AbortController();
  const abort = () => controller.abort();
  for (const other of others) {
    if (other.aborted) abort();
    other.addEventListener('abort', abort);
  }
  return {
    signal: controller.signal,
    abort,
    release() {
      for (const other of others) other.removeEventListener('abort', abort);
    },
  };
}
