import type { IRequestStrict } from 'itty-router';
import { eventStreamResponse, success } from '../../../lib/http/responses.ts';
import { pathParam } from '../../../lib/http/route-table.ts';
import type { ManagerContext } from '../context.ts';
import type { ServerLog } from './answers.ts';
import { countParam, flagParam } from './query-params.ts';
import { followServerLogs, logsOf, mostLines, usualLines } from './server-logs.ts';
import { assertServer } from './server-record.ts';

/** `GET /api/servers/{name}/logs`: the server's last lines; with `follow=1` a stream of further ones. */
export async function getServerLogs(
  request: IRequestStrict,
  context: Pick<ManagerContext, 'catalog' | 'registry' | 'upstreams' | 'containers'>,
): Promise<Response> {
  const name = pathParam(request, 'name');
  const tail = countParam(request, 'tail', usualLines, mostLines);
  const isFollowed = flagParam(request, 'follow');
  assertServer(name, context);
  const logs = logsOf(name, context);
  if (!isFollowed) return success<ServerLog>({ name, lines: await logs.tail(tail) });
  return eventStreamResponse(await followServerLogs(logs, tail, request.signal));
}
