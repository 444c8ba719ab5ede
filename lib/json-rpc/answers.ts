import { type Failure, failureKinds } from '../failure.ts';

/** JSON-RPC answers as text. Results that came from a server are raw JSON and are never parsed again. */

/** @param id raw JSON text. @param result raw JSON text. */
export function resultText(id: string, result: string): string {
  return `{"jsonrpc":"2.0","id":${id},"result":${result}}`;
}

/** @param error raw JSON text of the error object. */
export function errorText(id: string, error: string): string {
  return `{"jsonrpc":"2.0","id":${id},"error":${error}}`;
}

/** @param id raw JSON text. */
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

/** HTTP status of a failure that a method answered with: the error is in the body, so mostly 200 (section 1.4). */
export function statusOfMethodFailure(failure: Failure): number {
  const kind: { readonly status: number; readonly rpcStatus?: number } = failureKinds[failure.code];
  return kind.rpcStatus ?? failure.status;
}
