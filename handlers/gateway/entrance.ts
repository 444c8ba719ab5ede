import type { IRequestStrict } from 'itty-router';
import { Failure } from '../../lib/failure.ts';
import { pathParam } from '../../lib/http/route-table.ts';
import type { GatewayContext } from './context.ts';

/** What the three verbs of the endpoint have in common before they look at anything else. */

/** The group in the path; the default group for `/mcp`. What no text can be made of is no group's name. */
export function groupOf(request: IRequestStrict, context: GatewayContext): string {
  if (request.params.group === undefined) return context.service.defaultGroup;
  try {
    return pathParam(request, 'group');
  } catch {
    throw new Failure('group_not_found', 'There is no group of this name.');
  }
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
export function assertReady({ endpoint, catalog, service }: GatewayContext): void {
  if (!endpoint.groups.isLoaded() || !catalog.isLoaded()) throw service.notLoaded();
}
