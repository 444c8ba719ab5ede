/** Processes and sockets that are being closed. Only `all` waits for them. */
export interface PendingCloses {
  add(closing: Promise<void>): void;
  /** Resolves when none is left. */
  all(): Promise<void>;
}

export function createPendingCloses(): PendingCloses {
  const pendingCloses = new Set<Promise<void>>();
  return {
    add(closing) {
      const tracked = closing.finally(() => pendingCloses.delete(tracked));
      pendingCloses.add(tracked);
    },
    async all() {
      while (pendingCloses.size > 0) await Promise.all(pendingCloses);
    },
  };
}
