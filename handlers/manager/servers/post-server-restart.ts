import type { IRequestStrict } from 'itty-router';
import { readOptionalJson } from '../../../lib/http/read-body.ts';
import { success } from '../../../lib/http/responses.ts';
import { pathParam } from '../../../lib/http/route-table.ts';
import { check } from '../../../lib/json/check.ts';
import { managerBodyBytes } from '../../../lib/service-info.ts';
import type { RestartedServer } from './answers.ts';
import { RestartBody } from './restart-body.ts';
import { type RecordContext, serverRecord } from './server-record.ts';

/**
 * `POST /api/servers/{name}/restart`: ends a server's process or connection, opens it again and lists its tools. With
 * `discard_data` a container whose secrets have changed may lose its files outside of volumes.
 */
export async function postServerRestart(request: IRequestStrict, context: RecordContext): Promise<Response> {
  const body = await readOptionalJson(request, managerBodyBytes);
  const { discard_data: discardData = false } = check(body, RestartBody);
  const server = await context.registry.restart(pathParam(request, 'name'), { discardData });
  const { name, status, tool_count } = serverRecord(server, context);
  return success<RestartedServer>({ message: `Server ${name} is restarted.`, name, status, tool_count });
}
