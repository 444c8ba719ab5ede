/** The grammar of JSON strings (RFC 8259 section 7), read from bytes that may end anywhere. */
const quote = 0x22;
const backslash = 0x5c;
const letterU = 0x75;

const isOrdinary = new Uint8Array(256).fill(1, 0x20);
isOrdinary[quote] = 0;
isOrdinary[backslash] = 0;
const isHex = flags('0123456789abcdefABCDEF');
const mayFollowBackslash = flags('"\\/bfnrtu');

function flags(characters: string): Uint8Array {
  const set = new Uint8Array(256);
  for (const code of new TextEncoder().encode(characters)) set[code] = 1;
  return set;
}

export class JsonStringReader {
  state: 'open' | 'closed' | 'invalid' = 'closed';
  #isEscape = false;
  #hexDigits = 0;

  /** The opening quote was read. */
  begin(): void {
    this.state = 'open';
    this.#isEscape = false;
    this.#hexDigits = 0;
  }

  /** @returns the index after the closing quote, or after the last byte; of something invalid any index. */
  read(bytes: Uint8Array, start: number): number {
    let at = start;
    while (at < bytes.length) {
      if (this.#isEscape || this.#hexDigits > 0) {
        if (!this.#readEscape(bytes[at] ?? 0)) return at;
        at++;
        continue;
      }
      while (at < bytes.length && isOrdinary[bytes[at] ?? 0] === 1) at++;
      if (at === bytes.length) return at;
      const code = bytes[at++];
      if (code === backslash) this.#isEscape = true;
      else {
        this.state = code === quote ? 'closed' : 'invalid';
        return at;
      }
    }
    return at;
  }

  #readEscape(code: number): boolean {
    const isValid = this.#isEscape ? mayFollowBackslash[code] === 1 : isHex[code] === 1;
    if (!isValid) this.state = 'invalid';
    else if (!this.#isEscape) this.#hexDigits -= 1;
    else if (code === letterU) this.#hexDigits = 4;
    this.#isEscape = false;
    return isValid;
  }
}
