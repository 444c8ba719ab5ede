import { isObject } from '../json/is-object.ts';
import type { JsonExcess } from '../json/json-judge.ts';
import { elementsOf, memberText } from '../json/raw-json.ts';

/**
 * Bounds on what servers send, besides the bytes that their config allows (`limits.response_bytes`, `line_bytes`). JSON
 * of fewer bytes than `judgedFromBytes` costs too little to be a danger, and is parsed as it is.
 */
export const judgedFromBytes = 32_768;

/** What passes an agent by is not parsed here, so that much more is let through than from clients. */
export const maxAnswerDepth = 128;
export const maxAnswerElements = 250_000;

/** Whatever is parsed here as well: requests, notifications, and arrays of messages. */
export const maxParsedElements = 50_000;
export const maxParsedCharacters = 4_194_304;

/** What a server sent as one message: text that may be anything, or a long one that was judged as it arrived. */
export type ServerMessage = string | JudgedMessage;

/** One JSON object, found to be valid. Its members are raw JSON text, of doubled ones the last. */
export interface JudgedMessage {
  readonly text: string;
  /** The limit it is beyond, if it is; only `id` and `method` are known then. */
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

/** `call-…`: of a request or a notification, which have bounds of their own. */
export type MessageExcess = JsonExcess | 'call-length' | 'call-elements';

/** What the server answered, as raw JSON text of the `result` or `error` member. */
export type RawAnswer =
  | {
      readonly result: string;
      /** The tool says that it failed; told only of long results, which nobody wants to search for it. */
      readonly isError?: boolean;
    }
  | { readonly error: string };

/**
 * What a server sent, told apart by the two or three members we route by. The text stays as it came. Anything
 * that is no JSON-RPC message is left out; revision 2025-03-26 allows arrays of messages (rule 2).
 */
export type IncomingMessage = IncomingAnswer | IncomingRequest | IncomingNotification | RefusedMessage;

export interface IncomingAnswer {
  readonly kind: 'answer';
  readonly id: unknown;
  readonly text: string;
  /** Of a long message, whose members are known already. */
  readonly judged?: JudgedMessage;
}

/** One beyond our limits: an answer or a request when it has an `id`, by its `method`. */
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
  /** Of what the notification takes back. */
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

/** Of numbers and strings; whatever else there stands is none that we know. */
function parseSmall(text: string | undefined): unknown {
  return text === undefined || /^[[{]/.test(text) ? undefined : JSON.parse(text);
}
