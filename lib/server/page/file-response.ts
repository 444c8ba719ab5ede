import { bytesResponse, emptyResponse, type HeaderMap } from '../../http/responses.ts';
import type { StaticFile } from './static-files.ts';

/**
 * The page may run our scripts and talk to us and to the gateway, where it tries tools as an agent would, and to
 * nobody else: a tool description with markup in it stays text, and no other site can frame the page or be sent
 * to by it.
 */
function contentSecurityPolicy(gatewayUrl: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    `connect-src 'self' ${new URL(gatewayUrl).origin}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

const headers: HeaderMap = {
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-cache',
};

/**
 * A file of the dashboard; 304 when the browser has this very version.
 * @param gatewayUrl Where the gateway is for those who look at the page; only its origin counts.
 */
export function fileResponse(
  request: Pick<Request, 'headers'>,
  file: StaticFile,
  gatewayUrl: string,
): Response {
  const fresh = {
    ...headers,
    'Content-Security-Policy': contentSecurityPolicy(gatewayUrl),
    ETag: file.etag,
  };
  if (request.headers.get('if-none-match') === file.etag) return emptyResponse(304, fresh);
  return bytesResponse(file.bytes, file.contentType, fresh);
}
