/**
 * Values that must not be seen again: random, each with a note of what it was used for, and found again whole, cut
 * off, or in base64.
 */
import { randomBytes } from 'node:crypto';

export interface Canaries {
  /** A new value, such as `cnry0f3a…`: letters and digits, so that no encoding of texts changes it. */
  make(use: string): string;
  count(): number;
  /** What those in `text` were used for, each once. */
  findIn(text: string): string[];
}

/** So much of one is as good as all of it to whoever reads it. */
const tellingLength = 16;

export function createCanaries(): Canaries {
  const uses = new Map<string, string>();
  const patterns = new Map<string, readonly string[]>();

  return {
    make(use) {
      const value = `cnry${randomBytes(16).toString('hex')}`;
      uses.set(value, use);
      patterns.set(value, [value.slice(0, tellingLength), ...base64Cores(value)]);
      return value;
    },
    count: () => uses.size,
    findIn(text) {
      const found = [...uses].filter(([value]) => patterns.get(value)?.some((part) => text.includes(part)));
      return [...new Set(found.map(([, use]) => use))];
    },
  };
}

/** What all base64 texts have in common that hold `value` at any place. */
function base64Cores(value: string): string[] {
  return [0, 1, 2].map((shift) => {
    const encoded = Buffer.from('x'.repeat(shift) + value).toString('base64');
    return encoded.slice(shift === 0 ? 0 : 4, 4 + 4 * 5);
  });
}
