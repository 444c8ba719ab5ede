import type { IRequestStrict } from 'itty-router';
import { success } from '../../../lib/http/responses.ts';
import { type RecordContext, serverRecords } from './server-record.ts';

/** `GET /api/servers`: all registered servers with their status and tool count. */
export async function getServers(_request: IRequestStrict, context: RecordContext): Promise<Response> {
  await Promise.all([context.serverCalls.look(), context.shownImages?.look()]);
  return success({ servers: serverRecords(context) });
}
