/**
 * Names those whose count changed since the last look, once an interval at most: how the page learns of calls. It
 * looks only while somebody watches, so that calls themselves cost nothing more.
 */
export interface CountWatch {
  /** A count that only grows, by name. */
  readonly read: () => ReadonlyMap<string, number>;
  readonly everyMs?: number;
}

/** @returns how to end it */
export function watchCounts(
  { read, everyMs = 1_000 }: CountWatch,
  onChanged: (name: string) => void,
): () => void {
  let before = read();
  const timer = setInterval(() => {
    const now = read();
    for (const [name, count] of now) if (count !== (before.get(name) ?? 0)) onChanged(name);
    before = now;
  }, everyMs);
  return () => clearInterval(timer);
}
