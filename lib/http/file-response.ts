import { bytesResponse, emptyResponse, type HeaderMap } from './responses.ts';
import type { StaticFile } from './static-files.ts';

/**
 * The page may run our scripts and talk to us, and nothing else: a tool description with markup in it stays
 * text, and no other site can frame the page or be sent to by it.
 */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const headers: HeaderMap = {
  'Content-Security-Policy': contentSecurityPolicy,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-cache',
};

/** A file of the dashboard; 304 when the browser has this very version. */
export function fileResponse(request: Pick<Request, 'headers'>, file: StaticFile): Response {
  const fresh = { ...headers, ETag: file.etag };
  if (request.headers.get('if-none-match') === file.etag) return emptyResponse(304, fresh);
  return bytesResponse(file.bytes, file.contentType, fresh);
}
