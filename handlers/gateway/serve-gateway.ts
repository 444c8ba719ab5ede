import type { Failure } from '../../lib/failure.ts';
import { isEndpoint, isOAuthPath, noOAuthAnswer } from '../../lib/http/gateway-paths.ts';
import { reportFailure } from '../../lib/http/report-failure.ts';
import { corsHeaders, failureResponse, jsonText, preflightAnswer } from '../../lib/http/responses.ts';
import { answerUnmatched, type Table } from '../../lib/http/route-table.ts';
import { failureText } from '../../lib/json-rpc/write.ts';
import type { GatewayContext } from './context.ts';

/** The gateway set as one Fetch handler: routes, and the one place where its refusals become answers. */
export function serveGateway(
  table: Table<GatewayContext>,
  context: GatewayContext,
): (request: Request) => Promise<Response> {
  async function answer(request: Request): Promise<Response> {
    try {
      const response = await table.fetch(request, context);
      if (response !== undefined) return response;
      if (isOAuthPath(new URL(request.url).pathname)) return noOAuthAnswer();
      return await answerUnmatched(table, request, context);
    } catch (error) {
      const { failure, requestId } = reportFailure(error, context.log);
      return isEndpoint(request.url)
        ? refusal(failure, 'null', requestId)
        : failureResponse(failure, requestId);
    }
  }

  return async (request) => {
    const origin = request.headers.get('origin');
    if (origin === null) return answer(request);
    if (request.method === 'OPTIONS') return preflightAnswer(origin);
    const response = await answer(request);
    for (const [name, value] of Object.entries(corsHeaders(origin))) response.headers.set(name, value);
    return response;
  };
}

/** The answer to a POST that was refused before any method ran; its HTTP status is the failure's. */
export function refusal(failure: Failure, id: string, requestId: string): Response {
  return jsonText(failureText(id, failure, requestId), failure.status, failure.headers);
}
