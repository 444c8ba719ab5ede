import { bytesResponse, emptyResponse, type HeaderMap } from '../../http/responses.ts';

/** The dashboard's files, in memory: a lookup by exact path cannot leave their folder. */
export interface StaticFiles {
  /** @param path Relative to `static/`, such as `index.html`. @returns undefined when there is no such file. */
  read(path: string): StaticFile | undefined;
}

export interface StaticFile {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  /** Quoted, as in an HTTP ETag; changes with the bytes. */
  readonly etag: string;
}

/**
 * The page may run our scripts, and connect to the manager and to the gateway, where it tries tools as an agent would, and
 * to no other host: markup in a tool description stays text, and no other site can frame the page or receive its forms.
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
 * A file of the dashboard; 304 when the browser has this version.
 * @param gatewayUrl As the browser reaches the gateway; only its origin counts.
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
