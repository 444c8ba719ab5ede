import type { IRequestStrict } from 'itty-router';
import { readServerRecord } from '../../lib/catalog/server-record.ts';
import type { ManagerContext } from '../../lib/context.ts';
import { pathParam } from '../../lib/http/path-params.ts';
import { success } from '../../lib/http/responses.ts';

/** `GET /api/servers/{name}`: one server with its tools, config, limits and recent calls. */
export async function readServer(request: IRequestStrict, context: ManagerContext): Promise<Response> {
  await Promise.all([context.serverCalls.look(), context.shownImages?.look()]);
  return success({ server: readServerRecord(pathParam(request, 'name'), context) });
}
