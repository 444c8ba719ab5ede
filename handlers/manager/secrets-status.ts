import type { IRequestStrict } from 'itty-router';
import { secretsReport } from '../../lib/catalog/secrets-report.ts';
import type { ManagerContext } from '../../lib/context.ts';
import { success } from '../../lib/http/responses.ts';

/** `GET /api/servers/secrets-status`: the secrets method, and which names each server lacks. Never a value. */
export async function secretsStatus(_request: IRequestStrict, context: ManagerContext): Promise<Response> {
  return success(await secretsReport(context));
}
