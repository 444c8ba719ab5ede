import type { IRequestStrict } from 'itty-router';
import { Failure } from '../../../lib/failure.ts';
import { isBearer } from '../../../lib/http/guard.ts';
import { readJson } from '../../../lib/http/read-body.ts';
import { streamResponse } from '../../../lib/http/responses.ts';
import { check } from '../../../lib/json/check.ts';
import { RelayedCall, relayCall } from '../../../lib/upstreams/relay/relay-call.ts';
import type { ManagerContext } from '../context.ts';

/**
 * `POST /internal/calls`: a call that another process of this installation relays to the containers that this one
 * owns. It proves itself with the token that only those know who share the database.
 */
export async function postInternalCalls(
  request: IRequestStrict,
  context: Pick<ManagerContext, 'relayToken' | 'service' | 'upstreams' | 'clientChannels'>,
): Promise<Response> {
  const token = await context.relayToken();
  if (token === undefined || !isBearer(request.headers.get('authorization'), token)) {
    throw new Failure('unauthorized', 'This path is for the processes of this installation.', {
      headers: { 'WWW-Authenticate': 'Bearer' },
    });
  }
  const body = await readJson(request, 3 * context.service.maxBodyBytes);
  const { upstreams, clientChannels } = context;
  const lines = relayCall(check(body, RelayedCall), { upstreams, findClientChannel: clientChannels.find });
  return streamResponse(lines, 'application/x-ndjson');
}
