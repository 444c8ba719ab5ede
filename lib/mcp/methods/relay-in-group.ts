import type { RawAnswer } from '../../json-rpc/server-messages.ts';
import { type RelayedMessage, relay } from './relay.ts';
import type { CallScope, ToolCallDependencies } from './scope.ts';

/** Relays a request of a session, and remembers whose the URIs are that come back. */
export async function relayInGroup(
  { message, server, replacements }: Pick<RelayedMessage, 'message' | 'server' | 'replacements'>,
  { session, signal, emit, clientChannel }: CallScope,
  { upstreams, seenUris }: Pick<ToolCallDependencies, 'upstreams' | 'seenUris'>,
): Promise<RawAnswer> {
  const sessionId = session.id;
  const answer = await relay(
    { message, server, replacements, sessionId, signal, emit, clientChannel },
    upstreams,
  );
  if ('result' in answer) seenUris.note(session.group, server, answer.result);
  return answer;
}
