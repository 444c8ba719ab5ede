import { isLoopbackName } from '../text/network-syntax.ts';

/**
 * Which `Origin` values may talk to us (2025-11-25 basic/transports, Security Warning; docs/api.md, Guard).
 * Browsers send it on every cross-site call, so a bad one is a foreign web page.
 */
export type OriginPolicy = 'same-host-and-port' | 'same-host-or-loopback';

/**
 * @param hostHeader the request's own `Host`, already checked
 * @param allowedOrigins as browsers send them, such as `https://ops.example`
 */
export function isOriginAllowed(
  origin: string,
  hostHeader: string,
  policy: OriginPolicy,
  allowedOrigins: ReadonlySet<string>,
): boolean {
  if (allowedOrigins.has(origin.toLowerCase())) return true;
  const url = parseOrigin(origin);
  const own = parseOrigin(`http://${hostHeader}`);
  if (url === undefined || own === undefined) return false;
  if (policy === 'same-host-and-port') return url.host === own.host;
  return url.hostname === own.hostname || isLoopbackName(url.hostname);
}

/**
 * An origin as browsers send it, which is how `ALLOWED_ORIGINS` has to name it: without a path, and without the port
 * that goes without saying. Pages of browser extensions and editors have schemes of their own.
 */
export function isOrigin(text: string): boolean {
  const isWeb = /^https?:/i.test(text);
  if (isWeb) return URL.canParse(text) && new URL(text).origin === text.toLowerCase();
  return /^[a-z][a-z0-9+.-]*:\/\/[^/?#@\s]+$/i.test(text);
}

/** `null`, user info, paths and other schemes are no web origins of ours. */
function parseOrigin(origin: string): URL | undefined {
  try {
    const url = new URL(origin);
    const isWeb = url.protocol === 'http:' || url.protocol === 'https:';
    return isWeb &&
      url.username === '' &&
      url.pathname === '/' &&
      !/[/?#@]/.test(origin.slice(url.protocol.length + 2))
      ? url
      : undefined;
  } catch {
    return undefined;
  }
}
