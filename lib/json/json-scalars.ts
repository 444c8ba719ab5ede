/** Numbers (RFC 8259 section 6), `true`, `false` and `null`, read from bytes that may end anywhere. */
const words = new Map(['true', 'false', 'null'].map((text) => [text.charCodeAt(0), text]));

/** States of a number, and of a word. */
const minus = 0;
const zero = 1;
const integer = 2;
const point = 3;
const fraction = 4;
const mark = 5;
const sign = 6;
const exponent = 7;
const word = 8;

/** By the state before the digit. */
const afterDigit: readonly number[] = [
  integer,
  -1,
  integer,
  fraction,
  fraction,
  exponent,
  exponent,
  exponent,
];

export class JsonScalarReader {
  state: 'open' | 'closed' | 'invalid' = 'closed';
  #kind = word;
  /** The rest of the word. */
  #rest = '';

  /** @param code The first byte. */
  begin(code: number): void {
    this.#rest = words.get(code)?.slice(1) ?? '';
    if (this.#rest !== '') this.#kind = word;
    else this.#kind = code === 0x2d ? minus : stateAfter(minus, code);
    this.state = this.#kind < 0 ? 'invalid' : 'open';
  }

  /** @returns the index of the first byte that is no part of it. */
  read(bytes: Uint8Array, start: number): number {
    return this.#kind === word ? this.#readWord(bytes, start) : this.#readNumber(bytes, start);
  }

  /** There is nothing more. */
  end(): void {
    this.state = isWhole(this.#kind) ? 'closed' : 'invalid';
  }

  #readWord(bytes: Uint8Array, start: number): number {
    let at = start;
    while (at < bytes.length && this.#rest !== '') {
      if (bytes[at] !== this.#rest.charCodeAt(0)) {
        this.state = 'invalid';
        return at;
      }
      this.#rest = this.#rest.slice(1);
      at++;
    }
    if (this.#rest === '') this.state = 'closed';
    return at;
  }

  #readNumber(bytes: Uint8Array, start: number): number {
    for (let at = start; at < bytes.length; at++) {
      const next = stateAfter(this.#kind, bytes[at] ?? 0);
      if (next < 0) {
        this.end();
        return at;
      }
      this.#kind = next;
    }
    return bytes.length;
  }
}

/** The state of a number after this byte; -1: it is no part of the number. */
function stateAfter(state: number, code: number): number {
  if (code >= 0x30 && code <= 0x39)
    return state === minus && code === 0x30 ? zero : (afterDigit[state] ?? -1);
  if (code === 0x2e) return state === zero || state === integer ? point : -1;
  if (code === 0x65 || code === 0x45) return isWhole(state) && state !== exponent ? mark : -1;
  if (code === 0x2b || code === 0x2d) return state === mark ? sign : -1;
  return -1;
}

function isWhole(state: number): boolean {
  return state === zero || state === integer || state === fraction || state === exponent;
}
