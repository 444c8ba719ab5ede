import { Failure } from '../../failure.ts';
import type { RequestMessage } from '../../json-rpc/client-messages.ts';
import type { OwnThing } from '../views/group-features.ts';
import type { MethodDependencies, Scope } from './scope.ts';

/**
 * Whose resource a URI is (mcp-spec rule 47): listed, or of a listed template, or shown by a server of the group in a
 * result. What is left can only be of a group's one server that has resources, which is asked.
 */
export type ResourceRoute = OwnThing & { readonly isKnown: boolean };

/** @throws Failure `invalid_params`, `resource_not_found`, `method_not_found` when the group has no resources. */
export function routeResource(
  { params }: RequestMessage,
  { view, session }: Pick<Scope, 'view' | 'session'>,
  { seenUris }: Pick<MethodDependencies, 'seenUris'>,
): ResourceRoute {
  const { features } = view;
  if (!features.can.resources)
    throw new Failure('method_not_found', 'No server of this group has resources.');
  const { uri } = params;
  if (typeof uri !== 'string') throw new Failure('invalid_params', '`params.uri` must be a string.');
  const listed = features.resource(uri);
  if (listed) return { ...listed, isKnown: true };
  const seenAt = seenUris.serverOf(session.group, uri);
  if (seenAt && features.resourceServers.includes(seenAt)) return { server: seenAt, key: uri, isKnown: true };
  const [only, ...others] = features.resourceServers;
  if (only === undefined || others.length > 0) throw resourceNotFound(uri);
  return { server: only, key: uri, isKnown: false };
}

export function resourceNotFound(uri: unknown): Failure {
  return new Failure('resource_not_found', 'Resource not found', { details: { uri } });
}
