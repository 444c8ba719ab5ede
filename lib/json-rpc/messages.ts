/**
 * JSON-RPC messages as text. They are put together from raw parts, because params and results travel unparsed.
 * `params` and `result` are JSON text.
 */
export function requestText(id: number, method: string, params: string): string {
  return `{"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(method)},"params":${params}}`;
}

export function notificationText(method: string, params = '{}'): string {
  return `{"jsonrpc":"2.0","method":${JSON.stringify(method)},"params":${params}}`;
}

/** We do not wait for the answer to this request of ours. @param reason Needs no escapes. */
export function cancelledText(id: number, reason: string): string {
  return notificationText('notifications/cancelled', `{"requestId":${id},"reason":"${reason}"}`);
}

/** @param id As the server sent it: a string or a number. */
export function answerText(id: unknown, answer: ServerAnswer): string {
  const [member, value] = 'result' in answer ? ['result', answer.result] : ['error', answer.error];
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"${member}":${value}}`;
}

/** What we answer to a request of the server: raw JSON text. */
export type ServerAnswer = { readonly result: string } | { readonly error: string };
