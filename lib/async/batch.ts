/**
 * Gathers writes: while one statement is under way the next ones wait, and go together when it is done. A
 * lone caller waits for nobody, and many callers share the cost of a commit.
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
  /** So many items may wait, beside those being written; each further one is refused. */
  readonly mostWaiting: number;
  readonly refuse: () => unknown;
  /** An error that would meet every other item too: those that wait get it at once. */
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
      // One bad item must not fail its neighbours: each is tried by itself.
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

/** Reads by name, of which those that are asked for in one go share one statement. */
export function createBatchLoader<Result>(
  readAll: (names: readonly string[]) => Promise<ReadonlyMap<string, Result>>,
) {
  let gathering:
    | { readonly names: Set<string>; readonly found: Promise<ReadonlyMap<string, Result>> }
    | undefined;

  function begin() {
    const names = new Set<string>();
    const found = Promise.resolve().then(() => {
      gathering = undefined;
      return readAll([...names]);
    });
    return { names, found };
  }

  return async (name: string): Promise<Result | undefined> => {
    gathering ??= begin();
    gathering.names.add(name);
    return (await gathering.found).get(name);
  };
}
