import type { IRequestStrict } from 'itty-router';
import { Failure } from '../../../lib/failure.ts';
import { readJsonText } from '../../../lib/http/read-body.ts';
import { emptyResponse } from '../../../lib/http/responses.ts';
import { pathParam } from '../../../lib/http/route-table.ts';
import { managerBodyBytes } from '../../../lib/service-info.ts';
import type { ManagerContext } from '../context.ts';
import { parseTryRequest, tryAnswer } from './try-request.ts';

/**
 * `POST /api/tools/{tool}/try`: calls a tool of any server, in a group or not. Closing the connection cancels the call. The
 * body is required: a foreign page cannot send its content type without a preflight request (CSRF).
 */
export async function postToolTry(
  request: IRequestStrict,
  context: Pick<ManagerContext, 'mayTry' | 'tries'>,
): Promise<Response> {
  if (!context.mayTry) {
    throw new Failure(
      'try_needs_admin',
      'Trying a tool that agents may not have needs administration rights here: use the `svc-mcp` command line, or set ADMIN_TOKEN.',
    );
  }
  const tool = pathParam(request, 'tool');
  const tryRequest = parseTryRequest(await readJsonText(request, managerBodyBytes));
  const { signal } = request;
  try {
    return tryAnswer(tool, await context.tries.run({ tool, ...tryRequest }, signal));
  } catch (error) {
    // The client has closed the connection.
    if (signal.aborted) return emptyResponse(202);
    throw error;
  }
}
