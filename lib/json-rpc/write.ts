import { type Failure, failureKinds } from '../failure.ts';
import { latestProtocolVersion } from './protocol-versions.ts';
import type { RawAnswer } from './server-messages.ts';

/**
 * JSON-RPC messages as text, put together from raw parts because params and results travel unparsed. Every `id`,
 * `params`, `result` and `error` is raw JSON text.
 */
export function requestText(id: string | number, method: string, params?: string): string {
  return `{"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(method)}${paramsMember(params)}}`;
}

export function notificationText(method: string, params?: string): string {
  return `{"jsonrpc":"2.0","method":${JSON.stringify(method)}${paramsMember(params)}}`;
}

/** Params of `initialize` in our newest revision. @param capabilities what the client declares. */
export function initializeParams(
  clientInfo: { readonly name: string; readonly version: string },
  { capabilities = '{}', protocolVersion = latestProtocolVersion as string } = {},
): string {
  const info = JSON.stringify({ name: clientInfo.name, version: clientInfo.version });
  return `{"protocolVersion":"${protocolVersion}","capabilities":${capabilities},"clientInfo":${info}}`;
}

/** Takes back a request of ours. @param reason Needs no escapes. */
export function cancelledText(id: string | number, reason?: string): string {
  const why = reason === undefined ? '' : `,"reason":"${reason}"`;
  return notificationText('notifications/cancelled', `{"requestId":${id}${why}}`);
}

export function resultText(id: string, result: string): string {
  return `{"jsonrpc":"2.0","id":${id},"result":${result}}`;
}

export function errorText(id: string, error: string): string {
  return `{"jsonrpc":"2.0","id":${id},"error":${error}}`;
}

export function answerText(id: string, answer: RawAnswer): string {
  return 'result' in answer ? resultText(id, answer.result) : errorText(id, answer.error);
}

export function failureText(id: string, failure: Failure, requestId?: string): string {
  const data = { code: failure.code, ...(requestId ? { request_id: requestId } : {}), ...failure.details };
  return errorText(
    id,
    JSON.stringify({ code: failureKinds[failure.code].jsonrpc, message: failure.message, data }),
  );
}

/** The same as an object, for refusals before there was a message. */
export function failureObject(failure: Failure, requestId: string): Record<string, unknown> {
  return JSON.parse(failureText('null', failure, requestId));
}

/** HTTP status of a failure that a method answered with, mostly 200: the error is in the body (docs/api.md, Error codes). */
export function statusOfMethodFailure(failure: Failure): number {
  const kind: { readonly status: number; readonly rpcStatus?: number } = failureKinds[failure.code];
  return kind.rpcStatus ?? failure.status;
}

function paramsMember(params: string | undefined): string {
  return params === undefined ? '' : `,"params":${params}`;
}
