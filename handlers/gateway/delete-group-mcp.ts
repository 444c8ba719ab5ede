import type { IRequestStrict } from 'itty-router';
import { emptyResponse } from '../../lib/http/responses.ts';
import { assertReady, enterSession, entryFactsOf } from '../../lib/mcp/enter-session.ts';
import type { EntranceContext } from './context.ts';

/** `DELETE /v0/groups/{group}/mcp`: ends the session, everywhere. */
export async function deleteGroupMcp(request: IRequestStrict, context: EntranceContext): Promise<Response> {
  assertReady(context);
  const { session } = await enterSession(entryFactsOf(request, context.service), context.endpoint);
  await context.endpoint.sessions.end(session.id);
  return emptyResponse(204);
}
