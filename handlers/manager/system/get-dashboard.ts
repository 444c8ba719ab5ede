import type { IRequestStrict } from 'itty-router';
import { Failure } from '../../../lib/failure.ts';
import { fileResponse } from '../../../lib/server/page/static-files.ts';
import type { ManagerContext } from '../context.ts';

/** `GET /`: the dashboard page. Open without a token: it holds no data, and asks for the token itself. */
export function getDashboard(
  request: IRequestStrict,
  context: Pick<ManagerContext, 'staticFiles' | 'service'>,
): Response {
  const page = context.staticFiles.read('index.html');
  if (page === undefined) throw new Failure('not_found', 'The dashboard is not installed here.');
  return fileResponse(request, page, context.service.gatewayUrl());
}
