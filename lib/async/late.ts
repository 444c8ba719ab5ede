/** A value that exists later than the code that uses it. */
export interface Late<Value> {
  /** Never rejects: it waits as long as there is no value. */
  readonly promise: Promise<Value>;
  /** Undefined before `set`. */
  current(): Value | undefined;
  /** Only the first value counts. */
  set(value: Value): void;
}

export function createLate<Value>(): Late<Value> {
  let current: Value | undefined;
  let resolve: (value: Value) => void;
  const promise = new Promise<Value>((resolvePromise) => {
    resolve = resolvePromise;
  });
  return {
    promise,
    current: () => current,
    set(value) {
      current ??= value;
      resolve(value);
    },
  };
}
