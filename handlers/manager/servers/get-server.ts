import type { IRequestStrict } from 'itty-router';
import { success } from '../../../lib/http/responses.ts';
import { pathParam } from '../../../lib/http/route-table.ts';
import type { ReadServer } from './answers.ts';
import { type RecordContext, readServerRecord, serverDataRecord } from './server-record.ts';

/** `GET /api/servers/{name}`: one server with its tools, config, limits, recent calls and stored data. */
export async function getServer(request: IRequestStrict, context: RecordContext): Promise<Response> {
  await Promise.all([context.serverCalls.refresh(), context.shownImages?.refresh()]);
  const name = pathParam(request, 'name');
  const record = readServerRecord(name, context);
  return success<ReadServer>({ server: { ...record, data: await serverDataRecord(name, context) } });
}
