import { boolean, type Infer, object, string } from 'superstruct';
import { createBoundedStream } from '../http/bounded-stream.ts';
import { toFailure } from '../http/failure.ts';
import { createCancellation } from '../mcp/cancellation.ts';
import { replaceMembers } from '../mcp/raw-json.ts';
import { answerLine, failureLine, progressLine } from './relay-lines.ts';
import type { Upstreams } from './upstreams.ts';

/**
 * The owner's end of a relayed call (`remote-upstreams.ts` is the other): makes it over our own connection and tells
 * line by line what comes of it. A caller that hangs up has cancelled.
 */
export const RelayedCall = object({
  server: string(),
  session_id: string(),
  method: string(),
  /** Raw JSON text, checked by the process that took it from its client. */
  params: string(),
  /** The caller wants progress; its token in `params` gives way to ours. */
  progress: boolean(),
});

export type RelayedCall = Infer<typeof RelayedCall>;

const keepAliveMs = 15_000;
const encoder = new TextEncoder();

export function relayCall(
  call: RelayedCall,
  upstreams: Pick<Upstreams, 'request'>,
): ReadableStream<Uint8Array> {
  const cancellation = createCancellation();
  const keepAlive = setInterval(() => stream.write(encoder.encode('\n')), keepAliveMs);
  const stream = createBoundedStream(() => {
    clearInterval(keepAlive);
    cancellation.abort();
  });
  const { params, progress } = call;
  upstreams
    .request({
      server: call.server,
      sessionId: call.session_id,
      method: call.method,
      params: (token) => (progress ? withToken(params, token) : params),
      signal: cancellation.signal,
      ...(progress ? { onProgress: (text) => void stream.write(encoder.encode(progressLine(text))) } : {}),
    })
    .then(answerLine, (error: unknown) => failureLine(toFailure(error)))
    .then((line) => stream.end(encoder.encode(line)));
  return stream.body;
}

function withToken(params: string, token: number): string {
  return replaceMembers(params, 0, {
    _meta: (meta) => replaceMembers(meta, 0, { progressToken: String(token) }),
  });
}
