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
