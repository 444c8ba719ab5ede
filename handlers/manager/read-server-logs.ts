import type { IRequestStrict } from 'itty-router';
import { countParam, flagParam } from '../../lib/catalog/query-params.ts';
import { followServerLogs, logsOf } from '../../lib/catalog/server-logs.ts';
import { assertServer } from '../../lib/catalog/server-record.ts';
import type { ManagerContext } from '../../lib/context.ts';
import { pathParam } from '../../lib/http/path-params.ts';
import { eventStreamResponse, success } from '../../lib/http/responses.ts';

const mostLines = 1_000;

/** `GET /api/servers/{name}/logs`: the last lines it wrote; with `follow=1` a stream of what comes after. */
export async function readServerLogs(request: IRequestStrict, context: ManagerContext): Promise<Response> {
  const name = pathParam(request, 'name');
  const tail = countParam(request, 'tail', 200, mostLines);
  const follows = flagParam(request, 'follow');
  assertServer(name, context);
  const logs = logsOf(name, context);
  if (!follows) return success({ name, lines: await logs.tail(tail) });
  return eventStreamResponse(await followServerLogs(logs, tail, request.signal));
}
