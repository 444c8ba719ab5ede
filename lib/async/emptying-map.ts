/**
 * A Map for what comes and goes with every call. V8 gives a Map new tables as entries come and go, and once the Map is old
 * keeps each outgrown one, with all that it held then, until the next full collection: for us two kilobytes a call that
 * every collection of young objects copied in vain. So a value sits in a slot, which is emptied when it is deleted.
 */
export class EmptyingMap<K, V> {
  readonly #slots = new Map<K, { value: V | undefined }>();

  get size(): number {
    return this.#slots.size;
  }

  get(key: K): V | undefined {
    return this.#slots.get(key)?.value;
  }

  set(key: K, value: V): void {
    this.#slots.set(key, { value });
  }

  /** @returns what it held. */
  take(key: K): V | undefined {
    const slot = this.#slots.get(key);
    if (slot === undefined) return undefined;
    const { value } = slot;
    slot.value = undefined;
    this.#slots.delete(key);
    return value;
  }

  has(key: K): boolean {
    return this.#slots.has(key);
  }

  /** Those that are there now. */
  keys(): K[] {
    return [...this.#slots.keys()];
  }

  /** Those that are there now. */
  values(): V[] {
    return Array.from(this.#slots.values(), ({ value }) => value as V);
  }

  *entries(): Generator<[K, V]> {
    for (const [key, { value }] of this.#slots) if (value !== undefined) yield [key, value];
  }
}
