import { JsonScalarReader } from './json-scalars.ts';
import { JsonKeyReader, JsonSkimmer, JsonStringReader } from './json-strings.ts';

/**
 * Judges JSON text (RFC 8259) while its bytes arrive, in one pass and keeping none of them: whether it is valid, within
 * limits of depth and elements, and where the members of the outermost object stand. What it calls valid is what
 * `JSON.parse` takes once the bytes are decoded; those that are no UTF-8 can only stand in strings, where decoding
 * replaces them. Beyond a limit it only skims, so that members that come later, such as `id`, are still found.
 */
export interface JsonJudgeOptions {
  readonly maxDepth: number;
  /** Of brackets that open, commas and colons, as with bodies of clients (`lib/json/json-limits.ts`). */
  readonly maxTokens: number;
  /** The member of the outermost object whose own members are told of as well. */
  readonly innerOf?: string;
  /**
   * A value begins or ends at this index of the bytes that are fed; it is a member of the outermost object, or of its
   * member `innerOf` when there is an `inner` key. Of doubled ones each is told of.
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
  /** Of each open container: 1 for an object. */
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

  /** The limit that was passed, if any was. */
  get excess(): JsonExcess | undefined {
    return this.#excess;
  }

  /** How many elements there were so far. */
  get tokens(): number {
    return this.#tokens;
  }

  get isInvalid(): boolean {
    return this.#state === invalid;
  }

  /** Line breaks between tokens are overwritten with spaces, so that what passed is one line. */
  feed(bytes: Uint8Array): void {
    let at = 0;
    while (at < bytes.length && this.#state !== invalid) {
      if (this.#state === inString) at = this.#readString(bytes, at);
      else if (this.#state === inScalar) at = this.#readScalar(bytes, at);
      else if (this.#state === skimming) at = this.#skim(bytes, at);
      else at = this.#readToken(bytes, at);
    }
  }

  /** Whether all that was fed is one JSON text; one beyond a limit was looked at only so far. */
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
    // What is nested is refused as a whole; the outermost members are still to be found.
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
    if (this.#isTold()) this.#tell('start', at);
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
    if (this.#isTold()) this.#tell('end', at);
  }

  /** Whether a value that stands at this depth is a member that is told of. */
  #isTold(): boolean {
    if (this.#depth === 0 || this.#depth > 2 || this.#isObject[this.#depth] !== 1) return false;
    return this.#depth === 1 || (this.#isObject[1] === 1 && this.#key === this.#options.innerOf);
  }

  #tell(edge: 'start' | 'end', at: number): void {
    if (this.#depth === 1) this.#options.onMember(edge, at, this.#key);
    else this.#options.onMember(edge, at, this.#key, this.#innerKey);
  }

  #beginKey(): void {
    this.#isKey = true;
    this.#keyReader.begin(this.#isTold());
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
    if (this.#depth === 1) this.#key = this.#keyReader.take();
    else this.#innerKey = this.#keyReader.take();
  }

  #readScalar(bytes: Uint8Array, start: number): number {
    const at = this.#scalar.read(bytes, start);
    if (this.#scalar.state === 'closed') this.#endValue(at);
    else if (this.#scalar.state === 'invalid') this.#state = invalid;
    return at;
  }
}
