import type { IRequestStrict } from 'itty-router';
import type { GatewayContext } from '../../lib/context.ts';
import { Failure } from '../../lib/http/failure.ts';
import { eventStreamResponse } from '../../lib/http/responses.ts';
import { readAccept } from '../../lib/mcp/accept.ts';
import { enter } from '../../lib/mcp/endpoint.ts';
import { assertReady, groupOf } from '../../lib/mcp/entrance.ts';

/** `GET /v0/groups/{group}/mcp`: the session's event stream, for those who name `text/event-stream`. */
export async function getGroupMcp(request: IRequestStrict, context: GatewayContext): Promise<Response> {
  assertReady(context);
  if (!readAccept(request.headers.get('accept')).eventStream) {
    throw new Failure('not_acceptable', 'Accept `text/event-stream` to open the event stream.');
  }
  const facts = {
    group: groupOf(request, context),
    sessionId: request.headers.get('mcp-session-id'),
    protocolVersion: request.headers.get('mcp-protocol-version'),
  };
  const { session } = await enter(facts, context.endpoint);
  return eventStreamResponse(context.streams.open(session, request.signal));
}
