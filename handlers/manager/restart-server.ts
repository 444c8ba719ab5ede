import type { IRequestStrict } from 'itty-router';
import { serverRecord } from '../../lib/catalog/server-record.ts';
import type { ManagerContext } from '../../lib/context.ts';
import { pathParam } from '../../lib/http/path-params.ts';
import { success } from '../../lib/http/responses.ts';

/** `POST /api/servers/{name}/restart`: ends its process or connection, opens it anew, lists its tools again. */
export async function restartServer(request: IRequestStrict, context: ManagerContext): Promise<Response> {
  const server = await context.registry.restart(pathParam(request, 'name'));
  const { name, status, tool_count } = serverRecord(server, context);
  return success({ message: `Server ${name} is restarted.`, name, status, tool_count });
}
