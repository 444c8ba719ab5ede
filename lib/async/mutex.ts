/** Runs one piece of work after the other, in the order of the calls; a failure does not stop the next. */
export type Mutex = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** The same per name; work under different names runs side by side. */
export type KeyedMutex = <Result>(name: string, work: () => Promise<Result>) => Promise<Result>;

export function createMutex(): Mutex {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work);
    last = result.catch(() => {});
    return result;
  };
}

export function createKeyedMutex(): KeyedMutex {
  const tails = new Map<string, Promise<unknown>>();
  return (name, work) => {
    const result = (tails.get(name) ?? Promise.resolve()).then(work);
    const tail = result
      .catch(() => {})
      .then(() => {
        if (tails.get(name) === tail) tails.delete(name);
      });
    tails.set(name, tail);
    return result;
  };
}
