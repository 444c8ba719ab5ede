import type { IRequestStrict } from 'itty-router';
import { Failure } from '../../../lib/failure.ts';
import { readJson } from '../../../lib/http/read-body.ts';
import { streamResponse } from '../../../lib/http/responses.ts';
import { check } from '../../../lib/json/check.ts';
import { RelayedCall, relayCall } from '../../../lib/upstreams/relay/relay-call.ts';
import type { ManagerContext } from '../context.ts';

/**
 * `POST /internal/calls`: a call that another process of this deployment relays to the servers of this one
 * (docs/decisions/0009 and 0029). The token proves that the other process shares the database.
 */
export async function postInternalCalls(
  request: IRequestStrict,
  context: Pick<ManagerContext, 'isRelay' | 'relayedServers' | 'service' | 'upstreams' | 'clientChannels'>,
): Promise<Response> {
  if (!(await context.isRelay(request.headers.get('authorization')))) {
    throw new Failure('unauthorized', 'This path is for the processes of this installation.', {
      headers: { 'WWW-Authenticate': 'Bearer' },
    });
  }
  const call = check(await readJson(request, 3 * context.service.maxBodyBytes), RelayedCall);
  const { upstreams, clientChannels } = context;
  context.relayedServers.add(call.server);
  const lines = relayCall(call, { upstreams, findClientChannel: clientChannels.find });
  return streamResponse(lines, 'application/x-ndjson');
}
