/**
 * Passes over the rest of a JSON value without judging it: only strings and the number of open brackets are looked at.
 * For values that are refused anyway, to find what comes after them.
 */
const quote = 0x22;
const backslash = 0x5c;
const brackets = new Uint8Array(256);
for (const code of [0x7b, 0x5b, 0x7d, 0x5d, quote]) brackets[code] = 1;

export class JsonSkimmer {
  #depth = 0;
  #isInString = false;
  #isEscaped = false;

  get isOver(): boolean {
    return this.#depth === 0;
  }

  /** @param depth How many brackets are to be closed. */
  begin(depth: number): void {
    this.#depth = depth;
    this.#isInString = false;
    this.#isEscaped = false;
  }

  /** @returns the index after the bracket that closes the value, or after the last byte. */
  read(bytes: Uint8Array, start: number): number {
    let at = start;
    while (at < bytes.length && this.#depth > 0) {
      if (this.#isInString) at = this.#readString(bytes, at);
      else {
        while (at < bytes.length && brackets[bytes[at] ?? 0] === 0) at++;
        if (at === bytes.length) break;
        const code = bytes[at++];
        if (code === quote) this.#isInString = true;
        else this.#depth += code === 0x7b || code === 0x5b ? 1 : -1;
      }
    }
    return at;
  }

  #readString(bytes: Uint8Array, start: number): number {
    let at = start;
    while (at < bytes.length) {
      const code = bytes[at++];
      if (this.#isEscaped) this.#isEscaped = false;
      else if (code === backslash) this.#isEscaped = true;
      else if (code === quote) {
        this.#isInString = false;
        break;
      }
    }
    return at;
  }
}
