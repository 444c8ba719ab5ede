import type { IRequestStrict } from 'itty-router';
import type { GatewayContext } from '../context.ts';
import { databaseUnavailable } from '../http/failure.ts';
import { pathParam } from '../http/path-params.ts';

/** What the three verbs of the endpoint have in common before they look at anything else. */

/** The group in the path; the default group for `/mcp`. */
export function groupOf(request: IRequestStrict, context: GatewayContext): string {
  return request.params.group === undefined ? context.service.defaultGroup : pathParam(request, 'group');
}

/** By what a request without a body says which session it means. */
export function sessionFactsOf(request: IRequestStrict, context: GatewayContext) {
  return {
    group: groupOf(request, context),
    sessionId: request.headers.get('mcp-session-id'),
    protocolVersion: request.headers.get('mcp-protocol-version'),
  };
}

/** Until groups and the stored catalogue were loaded once, an answer would be a guess. */
export function assertReady({ endpoint, catalog }: GatewayContext): void {
  if (!endpoint.groups.isLoaded() || !catalog.isLoaded()) throw databaseUnavailable();
}
