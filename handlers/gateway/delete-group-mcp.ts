import type { IRequestStrict } from 'itty-router';
import type { GatewayContext } from '../../lib/context.ts';
import { emptyResponse } from '../../lib/http/responses.ts';
import { enter } from '../../lib/mcp/endpoint.ts';
import { assertReady, groupOf } from '../../lib/mcp/entrance.ts';

/** `DELETE /v0/groups/{group}/mcp`: ends the session, everywhere. */
export async function deleteGroupMcp(request: IRequestStrict, context: GatewayContext): Promise<Response> {
  assertReady(context);
  const facts = {
    group: groupOf(request, context),
    sessionId: request.headers.get('mcp-session-id'),
    protocolVersion: request.headers.get('mcp-protocol-version'),
  };
  const { session } = await enter(facts, context.endpoint);
  await context.endpoint.sessions.end(session.id);
  return emptyResponse(204);
}
