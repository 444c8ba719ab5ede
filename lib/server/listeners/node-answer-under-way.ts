import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** Node's HTTP server keeps the response in progress in this member of the socket, and shows it nowhere else. */
type HttpSocket = Duplex & { readonly _httpMessage?: ServerResponse | null };

/** The response in progress on this connection; undefined while no request is under way on it. */
export function answerUnderWay({ _httpMessage: answer }: HttpSocket): ServerResponse | undefined {
  return answer ?? undefined;
}
