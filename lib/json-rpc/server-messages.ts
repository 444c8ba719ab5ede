import type { JsonExcess } from '../json/json-judge.ts';
import { isObject } from '../json/parse-json.ts';
import { elementsOf, memberText } from '../json/raw-json.ts';

/**
 * Bounds on messages of servers, besides the bytes that their config allows (`limits.response_bytes`, `line_bytes`). JSON
 * of fewer bytes than `judgedFromBytes` costs too little to be a danger, and is parsed unjudged.
 */
export const judgedFromBytes = 32_768;

/** Answers for agents are not parsed here, so that these bounds are far higher than those of clients' messages. */
export const maxAnswerDepth = 128;
export const maxAnswerElements = 250_000;

/** Of messages that are parsed here: requests, notifications, and arrays of messages. */
export const maxParsedElements = 50_000;
export const maxParsedCharacters = 4_194_304;

/** One message of a server: any text, or a long message that was judged as it arrived. */
export type ServerMessage = string | JudgedMessage;

/** One valid JSON object. Its members are raw JSON text, of duplicate ones the last. */
export interface JudgedMessage {
  readonly text: string;
  /** The limit that the message exceeds, if any; only `id` and `method` are known then. */
  readonly excess: MessageExcess | undefined;
  readonly id: string | undefined;
  readonly method: string | undefined;
  readonly params: string | undefined;
  readonly result: string | undefined;
  readonly error: string | undefined;
  /** The result says that the tool failed. */
  readonly isError: boolean;
  readonly elements: number;
}

/** `call-…`: bounds of requests and notifications. */
export type MessageExcess = JsonExcess | 'call-length' | 'call-elements';

/** A server's answer: the `result` or `error` member as raw JSON text. */
export type RawAnswer =
  | {
      readonly result: string;
      /** The result says that the tool failed; known only of long results, which are too long to be searched for it. */
      readonly isError?: boolean;
    }
  | { readonly error: string };

/**
 * A server's message, classified by the two or three members we route by. The text is unchanged. Anything that is not a
 * JSON-RPC message is left out; revision 2025-03-26 allows arrays of messages (docs/protocol.md, rule 2).
 */
export type IncomingMessage = IncomingAnswer | IncomingRequest | IncomingNotification | RefusedMessage;

export interface IncomingAnswer {
  readonly kind: 'answer';
  readonly id: unknown;
  readonly text: string;
  /** Of a long message, whose members are known. */
  readonly judged?: JudgedMessage;
}

/** A message beyond our limits: a request when it has an `id` and a `method`, an answer when it has only an `id`. */
export interface RefusedMessage {
  readonly kind: 'refused';
  readonly id: unknown;
  readonly method: unknown;
  readonly excess: MessageExcess;
}

export interface IncomingRequest {
  readonly kind: 'request';
  readonly id: string | number;
  readonly method: string;
  readonly text: string;
}

export interface IncomingNotification {
  readonly kind: 'notification';
  readonly method: string;
  readonly progressToken: unknown;
  /** Of the request that the notification cancels. */
  readonly requestId: unknown;
  readonly text: string;
}

export function readMessages(message: ServerMessage): readonly IncomingMessage[] {
  return typeof message === 'string' ? readText(message) : classifyJudged(message);
}

function readText(text: string): readonly IncomingMessage[] {
  const value = parse(text);
  if (!Array.isArray(value)) return collect(value, text);
  const spans = elementsOf(text);
  return value.flatMap((element: unknown, index) => {
    const span = spans[index];
    return span ? collect(element, text.slice(span.start, span.end)) : [];
  });
}

function parse(text: string): unknown {
  // A flood of plain text must not cost an exception for every line.
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function collect(value: unknown, text: string): IncomingMessage[] {
  const message = classify(value, text);
  return message ? [message] : [];
}

function classify(value: unknown, text: string): IncomingMessage | undefined {
  if (!isObject(value)) return undefined;
  const { id, method, params } = value;
  const hasId = typeof id === 'number' || typeof id === 'string';
  if (typeof method !== 'string') return hasId ? { kind: 'answer', id, text } : undefined;
  if (hasId) return { kind: 'request', id, method, text };
  const { progressToken, requestId } = (params ?? {}) as Record<string, unknown>;
  return { kind: 'notification', method, progressToken, requestId, text };
}

function classifyJudged(message: JudgedMessage): IncomingMessage[] {
  const { text, params = 'null' } = message;
  const [id, method] = [parseSmall(message.id), parseSmall(message.method)];
  const hasId = typeof id === 'number' || typeof id === 'string';
  const isCall = typeof method === 'string';
  if (!hasId && !isCall) return [];
  const excess = message.excess ?? (isCall ? excessOfCall(message) : undefined);
  if (excess !== undefined) return [{ kind: 'refused', id, method, excess }];
  if (!isCall) return [{ kind: 'answer', id, text, judged: message }];
  if (hasId) return [{ kind: 'request', id, method, text }];
  const [progressToken, requestId] = ['progressToken', 'requestId'].map((key) =>
    parseSmall(memberText(params, key)),
  );
  return [{ kind: 'notification', method, progressToken, requestId, text }];
}

function excessOfCall({ text, elements }: JudgedMessage): MessageExcess | undefined {
  if (text.length > maxParsedCharacters) return 'call-length';
  return elements > maxParsedElements ? 'call-elements' : undefined;
}

/** Parses numbers, strings and literals; undefined for objects and arrays. */
function parseSmall(text: string | undefined): unknown {
  return text === undefined || /^[[{]/.test(text) ? undefined : JSON.parse(text);
}
