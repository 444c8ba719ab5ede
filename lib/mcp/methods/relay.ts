import type { CancelSignal } from '../../async/cancellation.ts';
import { Failure, toFailure } from '../../failure.ts';
import { isObject } from '../../json/parse-json.ts';
import { memberText, type Replacement, replaceMembers } from '../../json/raw-json.ts';
import { idText, isId, type RequestMessage } from '../../json-rpc/client-messages.ts';
import type { RawAnswer } from '../../json-rpc/server-messages.ts';
import type { ClientChannel, Upstreams } from '../../upstreams/upstreams.ts';
import type { CallScope, ToolCallDependencies } from './scope.ts';

/**
 * Relays a client's request to one server. Params and result pass as raw JSON; only the names of the server's features
 * and the progress token are replaced (docs/protocol.md, rules 36, 38, 41).
 */
export interface RelayedMessage {
  readonly message: RequestMessage;
  readonly server: string;
  readonly sessionId: string;
  /**
   * Members of `params` that have another value at the server. Every member of a name is replaced, so that a duplicate
   * cannot carry a hidden feature's name past the group.
   */
  readonly replacements: Readonly<Record<string, Replacement>>;
  readonly signal: CancelSignal;
  /** Sends a message on this request's stream; absent: the client cannot read one. */
  readonly emit: ((message: string) => void) | undefined;
  readonly clientChannel: ClientChannel | undefined;
}

/** @throws Failure `invalid_params` for a malformed progress token, and whatever `upstreams.request` throws. */
export function relay(relayed: RelayedMessage, upstreams: Pick<Upstreams, 'request'>): Promise<RawAnswer> {
  const { message, emit, clientChannel } = relayed;
  const sent = memberText(message.text, 'params') ?? '{}';
  const token = progressToken(message, sent);
  return upstreams.request({
    server: relayed.server,
    sessionId: relayed.sessionId,
    method: message.method,
    params: paramsFor(replaceMembers(sent, 0, relayed.replacements), token),
    signal: relayed.signal,
    onProgress: token === undefined ? undefined : (text) => emit?.(withClientToken(text, token)),
    clientChannel,
  });
}

/**
 * Relays a request of a session, and records which server showed the URIs in the result.
 * @param notFound The failure when the server was just removed.
 * @throws Failure as `relay`, `upstream_unavailable` and `upstream_timeout` naming the server.
 */
export async function relayInGroup(
  { message, server, replacements }: Pick<RelayedMessage, 'message' | 'server' | 'replacements'>,
  { session, view, signal, emit, clientChannel }: CallScope,
  { upstreams, seenUris }: Pick<ToolCallDependencies, 'upstreams' | 'seenUris'>,
  notFound: () => Failure,
): Promise<RawAnswer> {
  const sessionId = session.id;
  try {
    const answer = await relay(
      { message, server, replacements, sessionId, signal, emit, clientChannel },
      upstreams,
    );
    if ('result' in answer) await seenUris.record(session.group, server, answer.result, view.features);
    return answer;
  } catch (error) {
    throw toFailure(error).code === 'server_not_found' ? notFound() : error;
  }
}

/**
 * The client's own token as JSON text, when it asked for progress (a string or an integer, docs/protocol.md, rule 41).
 */
function progressToken({ params }: RequestMessage, sent: string): string | undefined {
  const meta = params._meta;
  if (!isObject(meta) || meta.progressToken === undefined) return undefined;
  const token = meta.progressToken;
  if (!isId(token) || (typeof token === 'number' && !Number.isInteger(token))) {
    throw new Failure('invalid_params', '`params._meta.progressToken` must be a string or an integer.');
  }
  return idText(token, memberText(sent, '_meta') ?? '', 'progressToken');
}

function paramsFor(params: string, token: string | undefined): (ours: number) => string {
  if (token === undefined) return () => params;
  return (ours) => replaceMembers(params, 0, { _meta: (meta) => withToken(meta, String(ours)) });
}

function withClientToken(notification: string, token: string): string {
  return replaceMembers(notification, 0, { params: (params) => withToken(params, token) });
}

function withToken(text: string, token: string): string {
  return replaceMembers(text, 0, { progressToken: token });
}
