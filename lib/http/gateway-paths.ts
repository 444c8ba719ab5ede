import { Failure } from '../failure.ts';
import { newRequestId } from './report-failure.ts';
import { failureBody, jsonResponse } from './responses.ts';

/**
 * A client that is refused for want of a token looks for an OAuth server: metadata of the resource and of its server
 * (RFC 9728 and RFC 8414, section 3; OpenID Connect Discovery, section 4), with the endpoint's path in front or behind,
 * then the paths that MCP 2025-03-26 assumes without metadata. The gateway has none of them; a 401 would only prolong the
 * search.
 */
const metadata =
  /^(?:\/.*)?\/\.well-known\/(?:oauth-protected-resource|oauth-authorization-server|openid-configuration)(?:\/.*)?$/;
const assumed = new Set(['/register', '/authorize', '/token']);

/** Only for normalised paths: `/register/../api` is not an OAuth path. */
export function isOAuthPath(path: string): boolean {
  if (!assumed.has(path) && !metadata.test(path)) return false;
  return new URL(path, 'http://localhost').pathname === path;
}

/** Clients show their user `error_description` (RFC 6749 section 5.2). */
export function noOAuthAnswer(): Response {
  const failure = new Failure(
    'not_found',
    'There is no OAuth here. Where the gateway wants a token, send the one in its setting GATEWAY_TOKEN as `Authorization: Bearer <token>`.',
  );
  const body = { ...failureBody(failure, newRequestId()), error_description: failure.message };
  return jsonResponse(body, failure.status);
}

/** Whether the URL is an MCP endpoint. Decided by its text, since a URL that cannot be parsed is asked about too. */
export function isEndpoint(url: string): boolean {
  return /^[^?]*\/mcp\/?(\?|$)/.test(url);
}
