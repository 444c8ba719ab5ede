import type { IRequestStrict } from 'itty-router';
import type { ManagerContext } from '../../lib/context.ts';
import { Failure } from '../../lib/http/failure.ts';
import { fileResponse } from '../../lib/http/file-response.ts';

/** `GET /`: the dashboard page. Open without a token: it holds no data, and asks for the token itself. */
export function dashboard(request: IRequestStrict, context: ManagerContext): Response {
  const page = context.staticFiles.read('index.html');
  if (page === undefined) throw new Failure('not_found', 'The dashboard is not installed here.');
  return fileResponse(request, page, context.service.gatewayUrl());
}
