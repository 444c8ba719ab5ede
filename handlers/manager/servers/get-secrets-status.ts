import type { IRequestStrict } from 'itty-router';
import { success } from '../../../lib/http/responses.ts';
import type { ManagerContext } from '../context.ts';
import { secretsReport } from './secrets-report.ts';

/** `GET /api/servers/secrets-status`: the secrets method, and which names each server lacks. Never a value. */
export async function getSecretsStatus(
  _request: IRequestStrict,
  context: Pick<ManagerContext, 'secrets' | 'catalog'>,
): Promise<Response> {
  return success(await secretsReport(context));
}
