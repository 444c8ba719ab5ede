import type { IRequestStrict } from 'itty-router';
import type { Conversion } from '../../../lib/clients/conversion.ts';
import { convertServers as convert } from '../../../lib/clients/convert-servers.ts';
import { readJson } from '../../../lib/http/read-body.ts';
import { jsonResponse } from '../../../lib/http/responses.ts';
import { managerBodyBytes } from '../../../lib/service-info.ts';
import type { ManagerContext } from '../context.ts';

/**
 * `POST /api/servers/convert`: another client's `mcpServers`, or a `docker run` line, as registration configs. Registers
 * and stores nothing. The answer repeats the values of variables from the request, so no cache may store it.
 */
export async function postServersConvert(
  request: IRequestStrict,
  context: Pick<ManagerContext, 'isAdministrator'>,
): Promise<Response> {
  const document = await readJson(request, managerBodyBytes);
  const conversion: Conversion = convert(document, context.isAdministrator);
  return jsonResponse({ success: true, ...conversion }, 200, { 'Cache-Control': 'no-store' });
}
