/**
 * Collects names for a moment and hands them over together: what comes in bursts (file events, news) is worked
 * on once per burst. The delay counts from the first name, so a steady stream is still worked on.
 */
export interface DebouncedNames {
  add(name: string): void;
  /** Drops what is collected. */
  stop(): void;
}

export function debounceNames(delayMs: number, work: (names: readonly string[]) => void): DebouncedNames {
  const names = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  function flush(): void {
    timer = undefined;
    const gathered = [...names];
    names.clear();
    work(gathered);
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
