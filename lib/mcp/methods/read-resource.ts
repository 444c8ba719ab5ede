import { toFailure } from '../../failure.ts';
import { elementsOf, replaceMembers } from '../../json/raw-json.ts';
import type { RequestMessage } from '../../json-rpc/client-messages.ts';
import { errorText, resultText } from '../../json-rpc/write.ts';
import { relayInGroup } from './relay-in-group.ts';
import { resourceNotFound, routeResource } from './resource-route.ts';
import type { CallScope, MethodDependencies } from './scope.ts';

/**
 * `resources/read`. A server that was only guessed says no more than that nobody has the resource.
 * @throws Failure as `routeResource`, and `upstream_unavailable` or `upstream_timeout`, naming the server.
 */
export async function readResource(
  message: RequestMessage,
  scope: CallScope,
  dependencies: MethodDependencies,
): Promise<string> {
  const { server, key, isKnown } = routeResource(message, scope, dependencies);
  try {
    const replacements = { uri: JSON.stringify(key) };
    const answer = await relayInGroup({ message, server, replacements }, scope, dependencies);
    if ('result' in answer) {
      return resultText(message.id, withAskedUri(answer.result, key, message.params.uri));
    }
    if (isKnown) return errorText(message.id, answer.error);
  } catch (error) {
    // Its server was removed a moment ago.
    if (toFailure(error).code !== 'server_not_found') throw error;
  }
  throw resourceNotFound(message.params.uri);
}

/** What was asked for under another URI than its server's comes back under that one. */
function withAskedUri(result: string, own: string, asked: unknown): string {
  if (own === asked) return result;
  const uri = (text: string) => (JSON.parse(text) === own ? JSON.stringify(asked) : text);
  const rename = (contents: string) =>
    elementsOf(contents).map(({ start, end }) => replaceMembers(contents.slice(start, end), 0, { uri }));
  return replaceMembers(result, 0, {
    contents: (contents) => (contents.startsWith('[') ? `[${rename(contents).join(',')}]` : contents),
  });
}
