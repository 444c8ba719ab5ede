import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** Node's HTTP server notes on the socket which answer is being made on it; it tells of that in no other way. */
type HttpSocket = Duplex & { readonly _httpMessage?: ServerResponse | null };

/** The answer that is being made on this connection; undefined while nothing is asked on it. */
export function answerUnderWay({ _httpMessage: answer }: HttpSocket): ServerResponse | undefined {
  return answer ?? undefined;
}
