/** As much of an AbortSignal as a call needs. A real one fits, but costs more than the rest of the call. */
export interface CancelSignal {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** What an AbortController does for one call, at a tenth of its price: every call needs one, few are cancelled. */
export interface Cancellation {
  readonly signal: CancelSignal;
  /** @param reason Absent: its client has cancelled it. */
  abort(reason?: Error): void;
}

export function createCancellation(): Cancellation {
  const signal = new Signal();
  return { signal, abort: (reason) => signal.abort(reason) };
}

/**
 * A class for its getters: written in an object literal they give each object a hidden class of its own, which V8 makes
 * in old space, where it keeps everything of the call from being collected young.
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
 * One signal for several reasons to stop. `release` lets go of the others, some of which live as long as the service.
 * For signals of any class: `AbortSignal.any` takes none of the Node adapter's.
 */
export interface AnySignal {
  readonly signal: AbortSignal;
  /** A reason of one's own. */
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
