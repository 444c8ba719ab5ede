/** Processes and sockets on their way out: they no longer matter to anyone but to who waits until all are gone. */
export interface Closings {
  add(closing: Promise<void>): void;
  /** Resolves when none is left. */
  all(): Promise<void>;
}

export function createClosings(): Closings {
  const closings = new Set<Promise<void>>();
  return {
    add(closing) {
      const tracked = closing.finally(() => closings.delete(tracked));
      closings.add(tracked);
    },
    async all() {
      while (closings.size > 0) await Promise.all(closings);
    },
  };
}
