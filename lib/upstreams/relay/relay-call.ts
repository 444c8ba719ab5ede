import { boolean, type Infer, object, optional, string } from 'superstruct';
import { createCancellation } from '../../async/cancellation.ts';
import { toFailure } from '../../failure.ts';
import { about } from '../../json/json-schema.ts';
import { replaceMembers } from '../../json/raw-json.ts';
import type { RawAnswer } from '../../json-rpc/server-messages.ts';
import { createBoundedStream } from '../../streams/bounded-stream.ts';
import { encodedPieces, largeText } from '../../streams/encoded-pieces.ts';
import type { ClientChannel, Upstreams } from '../upstreams.ts';
import { failureLine, hangUpLine, messageLine, progressLine, relayAnswerLine } from './relay-lines.ts';

/**
 * The owner's end of a relayed call (`remote-upstreams.ts` is the other): makes the call over this process's connection and
 * answers line by line. A caller that closes the connection cancels the call. Questions of the server to the client are
 * asked, and awaited, here: the other process only passes them on.
 */
export const RelayedCall = object({
  server: about(string(), 'Name of the server.'),
  session_id: about(string(), 'The MCP session of the client.'),
  method: about(string(), 'The MCP method, such as `tools/call`.'),
  params: about(string(), 'Raw JSON text, checked by the process that took it from its client.'),
  progress: about(
    boolean(),
    'The caller wants progress; the token in `params` is replaced with one of this process.',
  ),
  messages: optional(
    about(boolean(), 'The client can receive notifications and questions meanwhile; absent: it cannot.'),
  ),
});

export type RelayedCall = Infer<typeof RelayedCall>;

const encoder = new TextEncoder();

/** To the client, while the call is in flight. */
export interface RelayChannel {
  emit(message: string): void;
  hangUp(): void;
}

export interface RelayCallDependencies {
  readonly upstreams: Pick<Upstreams, 'request'>;
  /** The client of that session, behind the stream given. */
  readonly findClientChannel: (
    sessionId: string,
    channel: RelayChannel,
  ) => Promise<ClientChannel | undefined>;
}

export function relayCall(
  call: RelayedCall,
  { upstreams, findClientChannel }: RelayCallDependencies,
): ReadableStream<Uint8Array> {
  const cancellation = createCancellation();
  const onClose = () => cancellation.abort();
  const stream = createBoundedStream({ onClose, keepAlive: encoder.encode('\n') });
  const { params, progress } = call;
  const write = (line: string) => void stream.write(encoder.encode(line));

  async function request(): Promise<RawAnswer> {
    const client = {
      emit: (message: string) => write(messageLine(message)),
      hangUp: () => write(hangUpLine()),
    };
    const clientChannel = call.messages ? await findClientChannel(call.session_id, client) : undefined;
    return await upstreams.request({
      server: call.server,
      sessionId: call.session_id,
      method: call.method,
      params: (token) => (progress ? withToken(params, token) : params),
      signal: cancellation.signal,
      ...(progress ? { onProgress: (text) => write(progressLine(text)) } : {}),
      ...(clientChannel === undefined ? {} : { clientChannel }),
    });
  }

  request()
    .then(relayAnswerLine, (error: unknown) => failureLine(toFailure(error)))
    .then((line) => stream.end(line.length <= largeText ? encoder.encode(line) : encodedPieces(line)));
  return stream.body;
}

function withToken(params: string, token: number): string {
  return replaceMembers(params, 0, {
    _meta: (meta) => replaceMembers(meta, 0, { progressToken: String(token) }),
  });
}
