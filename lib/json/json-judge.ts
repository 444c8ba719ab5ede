import { JsonScalarReader } from './json-scalars.ts';
import { JsonKeyReader, JsonSkimmer, JsonStringReader } from './json-strings.ts';

/**
 * Judges JSON text (RFC 8259) while its bytes arrive, in one pass and keeping none of them: whether it is valid, within
 * limits of depth and elements, and where the members of the outermost object stand. Valid is exactly what `JSON.parse`
 * takes once the bytes are decoded; bytes that are not UTF-8 can only be in strings, where decoding replaces them. Beyond a
 * limit the rest is only skimmed, so that later members, such as `id`, are still found.
 */
export interface JsonJudgeOptions {
  readonly maxDepth: number;
  /** Counts opening brackets, commas and colons, as for bodies of clients (`lib/json/parse-json.ts`). */
  readonly maxTokens: number;
  /** The member of the outermost object whose own members are reported as well. */
  readonly innerOf?: string;
  /**
   * A value begins or ends at this index of the bytes that are fed: a member of the outermost object, or of its member
   * `innerOf` when there is an `inner` key. Of duplicate members each is reported.
   */
  readonly onMember: (edge: 'start' | 'end', at: number, key: string, inner?: string) => void;
}

export type JsonExcess = 'depth' | 'elements';

const quote = 0x22;

/** What comes next; the order matters to `#readToken`. */
const [expectValue, expectElement, expectKey, expectMember, expectColon, expectNext] = [0, 1, 2, 3, 4, 5];
const [inString, inScalar, skimming, invalid] = [6, 7, 8, 9];

export class JsonJudge {
  readonly #options: JsonJudgeOptions;
  /** For each open container: 1 for an object. */
  readonly #isObject: Uint8Array;
  readonly #string = new JsonStringReader();
  readonly #scalar = new JsonScalarReader();
  readonly #keyReader = new JsonKeyReader();
  readonly #skimmer = new JsonSkimmer();
  #state = expectValue;
  #depth = 0;
  #tokens = 0;
  #excess: JsonExcess | undefined;
  /** The string that is being read is a key. */
  #isKey = false;
  #key = '';
  #innerKey = '';

  constructor(options: JsonJudgeOptions) {
    this.#options = options;
    this.#isObject = new Uint8Array(options.maxDepth + 1);
  }

  /** The limit that was exceeded, if any. */
  get excess(): JsonExcess | undefined {
    return this.#excess;
  }

  /** How many elements were read so far. */
  get tokens(): number {
    return this.#tokens;
  }

  get isInvalid(): boolean {
    return this.#state === invalid;
  }

  /** Overwrites line breaks between tokens with spaces, so that the text becomes one line. */
  feed(bytes: Uint8Array): void {
    let at = 0;
    while (at < bytes.length && this.#state !== invalid) {
      if (this.#state === inString) at = this.#readString(bytes, at);
      else if (this.#state === inScalar) at = this.#readScalar(bytes, at);
      else if (this.#state === skimming) at = this.#skim(bytes, at);
      else at = this.#readToken(bytes, at);
    }
  }

  /** Whether all bytes together are one JSON text; beyond a limit only the part before it was checked. */
  end(): boolean {
    if (this.#state !== inScalar) return this.#depth === 0 && this.#state === expectNext;
    this.#scalar.end();
    return this.#depth === 0 && this.#scalar.state === 'closed';
  }

  #readToken(bytes: Uint8Array, start: number): number {
    let at = start;
    let code = bytes[at] ?? 0;
    while (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) {
      if (code !== 0x09) bytes[at] = 0x20;
      if (++at === bytes.length) return at;
      code = bytes[at] ?? 0;
    }
    const state = this.#state;
    if (state === expectElement && code === 0x5d) this.#close(false, at);
    else if (state <= expectElement) this.#beginValue(code, at);
    else if (code === quote && state <= expectMember) this.#beginKey();
    else if (code === 0x7d && (state === expectMember || state === expectNext)) this.#close(true, at);
    else if (code === 0x5d && state === expectNext) this.#close(false, at);
    else if (code === 0x3a && state === expectColon) this.#count(expectValue);
    else if (code === 0x2c && state === expectNext && this.#depth > 0)
      this.#count(this.#isObject[this.#depth] === 1 ? expectKey : expectValue);
    else this.#state = invalid;
    return at + 1;
  }

  #count(next: number): void {
    if (++this.#tokens > this.#options.maxTokens) this.#excess ??= 'elements';
    this.#state = next;
    if (this.#excess === undefined || this.#depth < 2) return;
    // The nested value is refused as a whole; the outermost members are still needed.
    this.#skimmer.begin(this.#depth - 1);
    this.#depth = 1;
    this.#state = skimming;
  }

  #skim(bytes: Uint8Array, start: number): number {
    const at = this.#skimmer.read(bytes, start);
    if (this.#skimmer.isOver) this.#endValue(at);
    return at;
  }

  #beginValue(code: number, at: number): void {
    if (this.#isReported()) this.#report('start', at);
    if (code === quote) {
      this.#isKey = false;
      this.#string.begin();
      this.#state = inString;
    } else if (code === 0x7b || code === 0x5b) {
      this.#open(code === 0x7b);
    } else {
      this.#scalar.begin(code);
      this.#state = this.#scalar.state === 'invalid' ? invalid : inScalar;
    }
  }

  #open(isObject: boolean): void {
    this.#depth++;
    if (this.#depth > this.#options.maxDepth) this.#excess ??= 'depth';
    else this.#isObject[this.#depth] = isObject ? 1 : 0;
    this.#count(isObject ? expectMember : expectElement);
  }

  #close(isObject: boolean, at: number): void {
    if (this.#depth === 0 || this.#isObject[this.#depth] !== (isObject ? 1 : 0)) {
      this.#state = invalid;
      return;
    }
    this.#depth--;
    this.#endValue(at + 1);
  }

  #endValue(at: number): void {
    this.#state = expectNext;
    if (this.#isReported()) this.#report('end', at);
  }

  /** Whether a value at this depth is a member that is reported. */
  #isReported(): boolean {
    if (this.#depth === 0 || this.#depth > 2 || this.#isObject[this.#depth] !== 1) return false;
    return this.#depth === 1 || (this.#isObject[1] === 1 && this.#key === this.#options.innerOf);
  }

  #report(edge: 'start' | 'end', at: number): void {
    if (this.#depth === 1) this.#options.onMember(edge, at, this.#key);
    else this.#options.onMember(edge, at, this.#key, this.#innerKey);
  }

  #beginKey(): void {
    this.#isKey = true;
    this.#keyReader.begin(this.#isReported());
    this.#string.begin();
    this.#state = inString;
  }

  #readString(bytes: Uint8Array, start: number): number {
    const at = this.#string.read(bytes, start);
    const { state } = this.#string;
    if (this.#isKey && this.#keyReader.isOn) this.#keyReader.add(bytes, start, at);
    if (state === 'invalid') this.#state = invalid;
    else if (state === 'closed' && !this.#isKey) this.#endValue(at);
    else if (state === 'closed') this.#endKey();
    return at;
  }

  #endKey(): void {
    this.#state = expectColon;
    if (!this.#keyReader.isOn) return;
    if (this.#depth === 1) this.#key = this.#keyReader.end();
    else this.#innerKey = this.#keyReader.end();
  }

  #readScalar(bytes: Uint8Array, start: number): number {
    const at = this.#scalar.read(bytes, start);
    if (this.#scalar.state === 'closed') this.#endValue(at);
    else if (this.#scalar.state === 'invalid') this.#state = invalid;
    return at;
  }
}
