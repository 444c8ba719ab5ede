import type { IRequestStrict } from 'itty-router';
import { pathParam } from '../../../lib/http/path-params.ts';
import { success } from '../../../lib/http/responses.ts';
import { serverDataRecord } from './server-data-record.ts';
import { type RecordContext, readServerRecord } from './server-record.ts';

/** `GET /api/servers/{name}`: one server with its tools, config, limits, recent calls, and what it keeps. */
export async function getServer(request: IRequestStrict, context: RecordContext): Promise<Response> {
  await Promise.all([context.serverCalls.look(), context.shownImages?.look()]);
  const name = pathParam(request, 'name');
  const record = readServerRecord(name, context);
  return success({ server: { ...record, data: await serverDataRecord(name, context) } });
}
