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
