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

  /** @returns the index after the closing quote, or after the last byte; any index when the string is invalid. */
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

/** Longer keys are read as ''. Each of our names fits, even when it is written in escapes. */
const longestKey = 64;

/** Collects the text of a key from its bytes, as far as it may be one of our names. Other keys need not be exact. */
export class JsonKeyReader {
  isOn = false;
  #text = '';

  begin(isOn: boolean): void {
    this.isOn = isOn;
    this.#text = '';
  }

  /** Further bytes of the key; the last is the closing quote. */
  add(bytes: Uint8Array, start: number, end: number): void {
    const most = Math.min(end, start + longestKey + 1);
    for (let at = start; at < most; at++) this.#text += String.fromCharCode(bytes[at] ?? 0);
  }

  /** Call once the key is complete and valid. */
  end(): string {
    const text = this.#text;
    if (text.length > longestKey) return '';
    return text.includes('\\') ? String(JSON.parse(`"${text}`)) : text.slice(0, -1);
  }
}

const brackets = new Uint8Array(256);
for (const code of [0x7b, 0x5b, 0x7d, 0x5d, quote]) brackets[code] = 1;

/**
 * Skips the rest of a JSON value without judging it: only strings and the number of open brackets are tracked. For values
 * that are refused anyway, to find the members after them.
 */
export class JsonSkimmer {
  #depth = 0;
  #isInString = false;
  #isEscaped = false;

  get isOver(): boolean {
    return this.#depth === 0;
  }

  /** @param depth How many brackets are still open. */
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
