import { StringDecoder } from 'node:string_decoder';
import { type JsonExcess, JsonJudge } from '../json/json-judge.ts';
import {
  judgedFromBytes,
  maxAnswerDepth,
  maxAnswerElements,
  maxParsedCharacters,
  maxParsedElements,
  type ServerMessage,
} from './server-messages.ts';

interface Span {
  start: number;
  end: number;
}

const spanNames = new Set(['params', 'result', 'error']);
/** Longest id or method that is read. */
const longestSmall = 1_024;
/** Of members of the outermost object, which has five by the protocol; a million duplicates would cost a second. */
const mostEdges = 1_000;
const letterT = 0x74;

/**
 * A long message, judged and decoded piece by piece as it arrives, so that no single step takes long; the pieces are not
 * stored. The text of a message beyond a limit, or that is not JSON, is dropped.
 */
export class JudgedText {
  readonly #decoder = new StringDecoder('utf8');
  readonly #judge = new JsonJudge({
    maxDepth: maxAnswerDepth,
    maxTokens: maxAnswerElements,
    innerOf: 'result',
    onMember: (edge, at, key, inner) => this.#onMember(edge, at, key, inner),
  });
  readonly #spans = new Map<string, Span>();
  readonly #small = new Map<string, string>();
  #text = '';
  #edges = 0;
  #isError = false;
  /** The small member that is being read, if any. */
  #reading: string | undefined;
  #piece: Buffer = Buffer.alloc(0);
  #decodedTo = 0;

  add(piece: Buffer): void {
    if (this.#judge.isInvalid) return;
    this.#piece = piece;
    this.#decodedTo = 0;
    this.#judge.feed(piece);
    this.#decode(piece.length);
    this.#piece = Buffer.alloc(0);
    if (this.#judge.isInvalid || this.#excess() !== undefined) this.#text = '';
  }

  /** '' when the message is not JSON. Arrays of messages are returned as text. */
  end(): ServerMessage {
    const isValid = this.#judge.end();
    const { tokens } = this.#judge;
    const excess = this.#excess();
    const text = this.#text;
    this.#text = '';
    if (!isValid) return '';
    const isObject = this.#spans.size > 0 || this.#small.size > 0;
    if (!isObject && excess === undefined) {
      return text.length > maxParsedCharacters || tokens > maxParsedElements ? '' : text;
    }
    const span = (key: string) => {
      const { start, end } = this.#spans.get(key) ?? {};
      return excess !== undefined || start === undefined ? undefined : text.slice(start, end);
    };
    const small = (key: string) => {
      const value = this.#small.get(key);
      return value === undefined || value.length > longestSmall ? undefined : value;
    };
    return {
      text,
      excess,
      id: small('id'),
      method: small('method'),
      params: span('params'),
      result: span('result'),
      error: span('error'),
      isError: this.#isError,
      elements: tokens,
    };
  }

  #excess(): JsonExcess | undefined {
    return this.#judge.excess ?? (this.#edges > mostEdges ? 'elements' : undefined);
  }

  #decode(to: number): void {
    const piece =
      this.#decodedTo === to ? '' : this.#decoder.write(this.#piece.subarray(this.#decodedTo, to));
    this.#decodedTo = to;
    this.#text += piece;
    if (this.#reading === undefined) return;
    const small = (this.#small.get(this.#reading) ?? '') + piece;
    this.#small.set(this.#reading, small.slice(0, longestSmall + 1));
  }

  #onMember(edge: 'start' | 'end', at: number, key: string, inner?: string): void {
    if (inner === undefined) this.#edges++;
    if (this.#excess() !== undefined && key !== 'id' && key !== 'method') return;
    if (inner !== undefined) {
      if (inner === 'isError' && edge === 'start') this.#isError = this.#piece[at] === letterT;
    } else if (key === 'id' || key === 'method') {
      this.#decode(at);
      if (edge === 'start') this.#small.set(key, '');
      this.#reading = edge === 'start' ? key : undefined;
    } else if (spanNames.has(key)) {
      this.#decode(at);
      const { length } = this.#text;
      if (edge === 'start') this.#spans.set(key, { start: length, end: length });
      else if (this.#spans.has(key))
        this.#spans.set(key, { start: this.#spans.get(key)?.start ?? 0, end: length });
      if (key === 'result' && edge === 'start') this.#isError = false;
    }
  }
}

/**
 * Assembles one message from the pieces in which it arrives. A short message is joined at its end, once; a long one is
 * judged and decoded as it arrives, since judging 15 MB in one go would block the event loop for seconds.
 */
export class MessageGatherer {
  readonly #pieces: Buffer[] = [];
  #bytes = 0;
  #judged: JudgedText | undefined;

  /** How many bytes were added since the last message ended. */
  get bytes(): number {
    return this.#bytes;
  }

  add(piece: Buffer): void {
    this.#bytes += piece.length;
    if (this.#judged !== undefined) {
      this.#judged.add(piece);
      return;
    }
    this.#pieces.push(piece);
    if (this.#bytes < judgedFromBytes) return;
    this.#judged = new JudgedText();
    for (const early of this.#pieces) this.#judged.add(early);
    this.#pieces.length = 0;
  }

  /** Ends the message; '' when there is none. */
  end(): ServerMessage {
    const message = this.#judged?.end() ?? joinText(this.#pieces);
    this.clear();
    return message;
  }

  clear(): void {
    this.#bytes = 0;
    this.#judged = undefined;
    this.#pieces.length = 0;
  }
}

/** Decodes UTF-8 of which characters may lie across the borders of pieces. */
export function joinText(pieces: readonly Buffer[]): string {
  const [first] = pieces;
  if (first === undefined) return '';
  return pieces.length === 1 ? first.toString() : Buffer.concat(pieces).toString();
}
