import type { IRequestStrict } from 'itty-router';
import { Failure } from '../../lib/failure.ts';
import { pathParam } from '../../lib/http/path-params.ts';
import type { GatewayContext } from './context.ts';

/** The steps that the verbs of the endpoint share, before they read anything else. */

export type EntranceContext = Pick<GatewayContext, 'endpoint' | 'catalog' | 'service'>;

/** The group in the path; the default group for `/mcp`. A path that cannot be decoded names no group. */
export function groupOf(request: IRequestStrict, context: Pick<GatewayContext, 'service'>): string {
  if (request.params.group === undefined) return context.service.defaultGroup;
  try {
    return pathParam(request, 'group');
  } catch {
    throw new Failure('group_not_found', 'There is no group of this name.');
  }
}

/** The group and the session that a request without a body names, and its protocol version. */
export function sessionFactsOf(request: IRequestStrict, context: Pick<GatewayContext, 'service'>) {
  return {
    group: groupOf(request, context),
    sessionId: request.headers.get('mcp-session-id'),
    protocolVersion: request.headers.get('mcp-protocol-version'),
  };
}

/** Until groups and the stored catalogue were loaded once, an answer would be a guess. */
export function assertReady({ endpoint, catalog, service }: EntranceContext): void {
  if (!endpoint.groups.isLoaded() || !catalog.isLoaded()) throw service.notLoaded();
}
