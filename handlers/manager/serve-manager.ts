import { newRequestId, reportFailure } from '../../lib/http/report-failure.ts';
import { failureResponse } from '../../lib/http/responses.ts';
import { answerUnmatched, type Table } from '../../lib/http/route-table.ts';
import type { ManagerContext } from './context.ts';

/** The manager set as one Fetch handler: every answer carries `X-Request-Id`, every failure the same shape. */
export function serveManager<Context extends Pick<ManagerContext, 'log'>>(
  table: Table<Context>,
  context: Context,
): (request: Request) => Promise<Response> {
  return async (request) => {
    const requestId = newRequestId();
    let response: Response;
    try {
      response = (await table.fetch(request, context)) ?? (await answerUnmatched(table, request, context));
    } catch (error) {
      response = failureResponse(reportFailure(error, context.log, requestId).failure, requestId);
    }
    if (!response.headers.has('X-Request-Id')) response.headers.set('X-Request-Id', requestId);
    return response;
  };
}
