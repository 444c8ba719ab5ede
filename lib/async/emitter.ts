/** What one part reports, for those that are created after it. */
export interface Emitter<Values extends unknown[]> {
  emit(...values: Values): void;
  on(listener: (...values: Values) => void): void;
}

export function createEmitter<Values extends unknown[]>(): Emitter<Values> {
  const listeners: ((...values: Values) => void)[] = [];
  return {
    emit(...values) {
      for (const listener of listeners) listener(...values);
    },
    on: (listener) => void listeners.push(listener),
  };
}
