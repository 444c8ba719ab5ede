/**
 * Collects names for a moment and processes them together: bursts of file events or bus messages are processed once per
 * burst. The delay counts from the first name, so a steady stream is still processed.
 */
export interface DebouncedNames {
  add(name: string): void;
  /** Drops the collected names. */
  stop(): void;
}

export function debounceNames(delayMs: number, work: (names: readonly string[]) => void): DebouncedNames {
  const names = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  function flush(): void {
    timer = undefined;
    const collected = [...names];
    names.clear();
    work(collected);
  }

  return {
    add(name) {
      names.add(name);
      timer ??= setTimeout(flush, delayMs);
    },
    stop() {
      clearTimeout(timer);
    },
  };
}
