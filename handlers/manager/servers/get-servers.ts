import type { IRequestStrict } from 'itty-router';
import { success } from '../../../lib/http/responses.ts';
import type { ServerList } from './answers.ts';
import { type RecordContext, serverRecords } from './server-record.ts';

/** `GET /api/servers`: all registered servers with their status and tool count. */
export async function getServers(_request: IRequestStrict, context: RecordContext): Promise<Response> {
  await Promise.all([context.serverCalls.refresh(), context.shownImages?.refresh()]);
  return success<ServerList>({ servers: serverRecords(context) });
}
