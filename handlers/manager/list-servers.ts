import type { IRequestStrict } from 'itty-router';
import { serverRecords } from '../../lib/catalog/server-record.ts';
import type { ManagerContext } from '../../lib/context.ts';
import { success } from '../../lib/http/responses.ts';

/** `GET /api/servers`: all registered servers with their status and tool count. */
export async function listServers(_request: IRequestStrict, context: ManagerContext): Promise<Response> {
  await Promise.all([context.serverCalls.look(), context.shownImages?.look()]);
  return success({ servers: serverRecords(context) });
}
