/**
 * Sessions of one kind of client declare the same capabilities and name, word for word. Storing each text once keeps a
 * cached session at a few hundred bytes.
 */
import { LRUCache } from 'lru-cache';

export interface InternedJson {
  readonly text: string;
  readonly value: Readonly<Record<string, unknown>>;
}

/** Equal JSON texts give the same frozen object, as long as they are among the recent ones. */
export function createJsonIntern({ mostTexts = 1000, mostCharacters = 4_000_000 } = {}) {
  const known = new LRUCache<string, InternedJson>({
    max: mostTexts,
    maxSize: mostCharacters,
    sizeCalculation: ({ text }) => text.length,
  });

  return function intern(value: Readonly<Record<string, unknown>>): InternedJson {
    const text = JSON.stringify(value);
    const existing = known.get(text);
    if (existing) return existing;
    const interned = { text, value: Object.freeze(JSON.parse(text)) };
    known.set(text, interned);
    return interned;
  };
}
