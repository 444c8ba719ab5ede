import type { IRequestStrict } from 'itty-router';
import { readJsonText } from '../../lib/http/read-body.ts';
import { answerPost } from '../../lib/mcp/endpoint.ts';
import { assertReady, groupOf } from '../../lib/mcp/enter-session.ts';
import type { EntranceContext } from './context.ts';

/** `POST /v0/groups/{group}/mcp`: one JSON-RPC message, or an array of them. */
export async function postGroupMcp(request: IRequestStrict, context: EntranceContext): Promise<Response> {
  assertReady(context);
  const text = await readJsonText(request, context.service.maxBodyBytes);
  const facts = {
    group: groupOf(request, context.service),
    sessionId: request.headers.get('mcp-session-id'),
    accept: request.headers.get('accept'),
    protocolVersion: request.headers.get('mcp-protocol-version'),
    authorization: request.headers.get('authorization'),
  };
  return answerPost(facts, text, context.endpoint);
}
