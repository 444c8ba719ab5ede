import type { IRequestStrict } from 'itty-router';
import { Failure } from '../../../lib/failure.ts';
import { fileResponse } from '../../../lib/server/page/static-files.ts';
import type { ManagerContext } from '../context.ts';

const prefix = '/static/';

/** `GET /static/…`: the scripts and styles of the dashboard. */
export function getStaticAsset(
  request: IRequestStrict,
  context: Pick<ManagerContext, 'staticFiles' | 'service'>,
): Response {
  const { pathname } = new URL(request.url);
  const file = pathname.startsWith(prefix)
    ? context.staticFiles.read(pathname.slice(prefix.length))
    : undefined;
  if (file === undefined) throw new Failure('not_found', 'There is no such file.');
  return fileResponse(request, file, context.service.gatewayUrl());
}
