import type { IRequestStrict } from 'itty-router';
import { serverDataRecord } from '../../lib/catalog/server-data-record.ts';
import { readServerRecord } from '../../lib/catalog/server-record.ts';
import type { ManagerContext } from '../../lib/context.ts';
import { pathParam } from '../../lib/http/path-params.ts';
import { success } from '../../lib/http/responses.ts';

/** `GET /api/servers/{name}`: one server with its tools, config, limits, recent calls, and what it keeps. */
export async function readServer(request: IRequestStrict, context: ManagerContext): Promise<Response> {
  await Promise.all([context.serverCalls.look(), context.shownImages?.look()]);
  const name = pathParam(request, 'name');
  const record = readServerRecord(name, context);
  return success({ server: { ...record, data: await serverDataRecord(name, context) } });
}
