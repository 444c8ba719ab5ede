/**
 * A Map for entries that live as long as a call. V8 replaces a Map's table as entries come and go, and in an old Map keeps
 * each outgrown table, with all its values, until the next full collection: two kilobytes a call, which every collection
 * of young objects copied in vain. So each value is in a slot, which is emptied when the value is deleted.
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

  /** Deletes the entry and returns its value. */
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

  keys(): K[] {
    return [...this.#slots.keys()];
  }

  values(): V[] {
    return Array.from(this.#slots.values(), ({ value }) => value as V);
  }

  *entries(): Generator<[K, V]> {
    for (const [key, { value }] of this.#slots) if (value !== undefined) yield [key, value];
  }
}
