import type { IRequestStrict } from 'itty-router';
import { emptyResponse } from '../../lib/http/responses.ts';
import { enterSession } from '../../lib/mcp/enter-session.ts';
import { assertReady, type EntranceContext, sessionFactsOf } from './entrance.ts';

/** `DELETE /v0/groups/{group}/mcp`: ends the session, everywhere. */
export async function deleteGroupMcp(request: IRequestStrict, context: EntranceContext): Promise<Response> {
  assertReady(context);
  const { session } = await enterSession(sessionFactsOf(request, context), context.endpoint);
  await context.endpoint.sessions.end(session.id);
  return emptyResponse(204);
}
