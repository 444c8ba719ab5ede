import { Failure } from '../failure.ts';
import { isObject } from '../json/parse-json.ts';
import { memberText } from '../json/raw-json.ts';

/**
 * The JSON-RPC envelope of what a client posts (JSON-RPC 2.0; MCP basic, Messages). Checks only what routing
 * needs; `text` is the message as it was received, so that params are passed on unchanged.
 */
export type Message = RequestMessage | NotificationMessage | ResponseMessage;

export interface RequestMessage {
  readonly kind: 'request';
  /** The id as JSON text. Equal ids have equal texts, however the client spelled them. */
  readonly id: string;
  readonly method: string;
  readonly params: Params;
  readonly text: string;
}

export interface NotificationMessage {
  readonly kind: 'notification';
  readonly method: string;
  readonly params: Params;
  readonly text: string;
}

/** An answer to a request of ours. */
export interface ResponseMessage {
  readonly kind: 'response';
  /** Our request ids are strings. */
  readonly id: string | number;
  readonly text: string;
}

export type Params = Readonly<Record<string, unknown>>;

const noParams: Params = Object.freeze(Object.create(null));

/**
 * @param value `text`, parsed
 * @throws Failure `invalid_request`
 */
export function toMessage(value: unknown, text: string): Message {
  if (!isObject(value) || value.jsonrpc !== '2.0') {
    throw invalid('a JSON-RPC 2.0 message is an object with `"jsonrpc": "2.0"`');
  }
  if (value.method === undefined) return toResponse(value, text);
  if (typeof value.method !== 'string') throw invalid('`method` must be a string');
  if (value.params !== undefined && !isObject(value.params)) throw invalid('`params` must be an object');
  const params = value.params ?? noParams;
  if (!Object.hasOwn(value, 'id')) return { kind: 'notification', method: value.method, params, text };
  if (!isId(value.id)) throw invalid('`id` must be a string or a number');
  return { kind: 'request', id: idText(value.id, text, 'id'), method: value.method, params, text };
}

/** The id of a message that may be invalid otherwise, to be echoed with the refusal; `null` when it has none. */
export function readableId(value: unknown, text: string): string {
  return isObject(value) && isId(value.id) ? idText(value.id, text, 'id') : 'null';
}

function toResponse(value: Params, text: string): ResponseMessage {
  const hasResult = Object.hasOwn(value, 'result');
  const hasError = Object.hasOwn(value, 'error');
  if (hasResult === hasError) throw invalid('a message has a `method`, a `result` or an `error`');
  if (hasError && !isObject(value.error)) throw invalid('`error` must be an object');
  if (!isId(value.id)) throw invalid('`id` must be a string or a number');
  return { kind: 'response', id: value.id, text };
}

/**
 * An id or token that is the member `key` of `text`, as JSON text. Numbers such as those beyond 2^53 lose digits when
 * parsed, so their source text is used.
 */
export function idText(id: string | number, text: string, key: string): string {
  if (typeof id === 'string' || Number.isSafeInteger(id)) return JSON.stringify(id);
  return memberText(text, key) ?? JSON.stringify(id);
}

export function isId(id: unknown): id is string | number {
  return typeof id === 'string' || (typeof id === 'number' && Number.isFinite(id));
}

/**
 * Arguments of a tool or prompt are an object, or absent (2025-11-25 schema, CallToolRequest and GetPromptRequest).
 * @throws Failure `invalid_params`
 */
export function checkArguments(params: Params): void {
  if (params.arguments === undefined || isObject(params.arguments)) return;
  throw new Failure('invalid_params', '`params.arguments` must be an object.');
}

function invalid(rule: string): Failure {
  return new Failure('invalid_request', `Not a valid JSON-RPC message: ${rule}.`);
}
