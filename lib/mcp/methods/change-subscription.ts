import { Failure, toFailure } from '../../failure.ts';
import type { RequestMessage } from '../../json-rpc/client-messages.ts';
import { errorText, resultText } from '../../json-rpc/write.ts';
import { isSubscribable, longestSubscribable } from '../updates/subscribable-uri.ts';
import { relayInGroup } from './relay-in-group.ts';
import { type ResourceRoute, resourceNotFound, routeResource } from './resource-route.ts';
import type { CallScope, MethodDependencies } from './scope.ts';

/**
 * `resources/subscribe` and `resources/unsubscribe`: the server decides, and what it agreed to is kept for the session
 * (mcp-spec rule 48). Throws as `routeResource` and `relay` do, and `method_not_found` for a resource of a server that
 * cannot be subscribed to.
 */
export function changeSubscription(change: 'added' | 'removed') {
  return async (
    message: RequestMessage,
    scope: CallScope,
    dependencies: MethodDependencies,
  ): Promise<string> => {
    const { server, key } = routeSubscription(message, scope, dependencies);
    try {
      const replacements = { uri: JSON.stringify(key) };
      const answer = await relayInGroup({ message, server, replacements }, scope, dependencies);
      if ('error' in answer) return errorText(message.id, answer.error);
      await dependencies.resourceUpdates[change](scope.session, { server, uri: key });
      return resultText(message.id, answer.result);
    } catch (error) {
      // Its server was removed a moment ago.
      throw toFailure(error).code === 'server_not_found' ? resourceNotFound(message.params.uri) : error;
    }
  };
}

function routeSubscription(
  message: RequestMessage,
  scope: CallScope,
  dependencies: MethodDependencies,
): ResourceRoute {
  const route = routeResource(message, scope, dependencies);
  if (!scope.view.features.capabilitiesOf(route.server).subscribe) {
    throw new Failure('method_not_found', `The server "${route.server}" takes no subscriptions.`);
  }
  if (!isSubscribable(route.key)) {
    throw new Failure(
      'invalid_params',
      `\`params.uri\` must be a URI of at most ${longestSubscribable} bytes.`,
    );
  }
  return route;
}
