/**
 * Batches writes: while one statement is under way the next items wait, and are written together when it is done. A
 * lone caller waits for nothing, and many callers share the cost of a commit.
 */
interface Waiting<Item> {
  readonly item: Item;
  resolve(): void;
  reject(error: unknown): void;
}

export interface BatcherOptions<Item> {
  /** All or none of the items. */
  readonly write: (items: readonly Item[]) => Promise<void>;
  readonly mostItems: number;
  /** How many items may wait beside those being written; each further one is refused. */
  readonly mostWaiting: number;
  readonly refuse: () => unknown;
  /** Whether every other item would fail with this error too: waiting items then fail at once. */
  readonly isGeneral: (error: unknown) => boolean;
}

/** The function returned resolves when its item is written. */
export function createBatcher<Item>(options: BatcherOptions<Item>) {
  const { write, mostItems, mostWaiting, refuse, isGeneral } = options;
  let waiting: Waiting<Item>[] = [];
  let isWriting = false;

  async function drain(): Promise<void> {
    isWriting = true;
    while (waiting.length > 0) {
      const batch = waiting.slice(0, mostItems);
      waiting = waiting.slice(mostItems);
      await writeBatch(batch);
    }
    isWriting = false;
  }

  async function writeBatch(batch: readonly Waiting<Item>[]): Promise<void> {
    try {
      await write(batch.map(({ item }) => item));
      for (const { resolve } of batch) resolve();
    } catch (error) {
      if (isGeneral(error)) rejectAll([...batch, ...waiting.splice(0)], error);
      else if (batch.length === 1) rejectAll(batch, error);
      // One bad item must not fail the others: each is written by itself.
      else for (const one of batch) await writeBatch([one]);
    }
  }

  return function add(item: Item): Promise<void> {
    if (waiting.length >= mostWaiting) return Promise.reject(refuse());
    return new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!isWriting) drain();
    });
  };
}

function rejectAll<Item>(batch: readonly Waiting<Item>[], error: unknown): void {
  for (const { reject } of batch) reject(error);
}

/** Reads by name; the reads that begin in one turn of the event loop share one statement. */
export function createBatchLoader<Result>(
  readAll: (names: readonly string[]) => Promise<ReadonlyMap<string, Result>>,
) {
  let pending:
    | { readonly names: Set<string>; readonly found: Promise<ReadonlyMap<string, Result>> }
    | undefined;

  function begin() {
    const names = new Set<string>();
    const found = Promise.resolve().then(() => {
      pending = undefined;
      return readAll([...names]);
    });
    return { names, found };
  }

  return async (name: string): Promise<Result | undefined> => {
    pending ??= begin();
    pending.names.add(name);
    return (await pending.found).get(name);
  };
}
