import type { IRequestStrict } from 'itty-router';
import { Failure } from '../../lib/failure.ts';
import { eventStreamResponse } from '../../lib/http/responses.ts';
import { readAccept } from '../../lib/mcp/content-negotiation.ts';
import { assertReady, enterSession, entryFactsOf } from '../../lib/mcp/enter-session.ts';
import type { EntranceContext, GatewayContext } from './context.ts';

/** `GET /v0/groups/{group}/mcp`: a stream of the session, for those who name `text/event-stream`, or the rest of one. */
export async function getGroupMcp(
  request: IRequestStrict,
  context: EntranceContext & Pick<GatewayContext, 'streams'>,
): Promise<Response> {
  assertReady(context);
  if (!readAccept(request.headers.get('accept')).eventStream) {
    throw new Failure('not_acceptable', 'Accept `text/event-stream` to open the event stream.');
  }
  const { session } = await enterSession(entryFactsOf(request, context.service), context.endpoint);
  const asked = {
    session,
    authorization: request.headers.get('authorization'),
    lastEventId: request.headers.get('last-event-id'),
    signal: request.signal,
  };
  return eventStreamResponse(await context.streams.open(asked));
}
