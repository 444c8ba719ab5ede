import { Failure } from '../../failure.ts';
import { elementsOf, replaceMembers } from '../../json/raw-json.ts';
import type { RequestMessage } from '../../json-rpc/client-messages.ts';
import { answerText, errorText, resultText } from '../../json-rpc/write.ts';
import { isSubscribable, longestSubscribable } from '../updates/update-message.ts';
import type { OwnThing } from '../views/group-features.ts';
import { relayInGroup } from './relay.ts';
import type { CallScope, MethodDependencies, Scope } from './scope.ts';

/** `resources/read`, `resources/subscribe` and `resources/unsubscribe`: each goes to the one server that has the URI. */

/**
 * The error of a server that was only guessed is not passed on: then no server has the resource.
 * @throws Failure as `routeResource` and `relayInGroup`.
 */
export async function readResource(
  message: RequestMessage,
  scope: CallScope,
  dependencies: MethodDependencies,
): Promise<string> {
  const { server, key, isKnown } = await routeResource(message, scope, dependencies);
  const notFound = () => resourceNotFound(message.params.uri);
  const replacements = { uri: JSON.stringify(key) };
  const answer = await relayInGroup({ message, server, replacements }, scope, dependencies, notFound);
  if ('result' in answer)
    return resultText(message.id, withRequestedUri(answer.result, key, message.params.uri));
  if (isKnown || (await hasShown(server, key, scope, dependencies)))
    return errorText(message.id, answer.error);
  throw notFound();
}

/** False, too, when nobody can tell. */
async function hasShown(
  server: string,
  uri: string,
  { session }: Pick<Scope, 'session'>,
  { seenUris }: Pick<MethodDependencies, 'seenUris'>,
): Promise<boolean> {
  const shownBy = await seenUris.serverOf(session.group, uri).catch(() => undefined);
  return shownBy === server;
}

/**
 * The server decides, and a subscription that it agreed to is stored with the session (docs/protocol.md, rule 48).
 * @throws Failure as `routeResource` and `relayInGroup`, and `method_not_found` when the server takes no subscriptions.
 */
export function changeSubscription(change: 'added' | 'removed') {
  return async (
    message: RequestMessage,
    scope: CallScope,
    dependencies: MethodDependencies,
  ): Promise<string> => {
    const { server, key } = await routeSubscription(message, scope, dependencies);
    const notFound = () => resourceNotFound(message.params.uri);
    const replacements = { uri: JSON.stringify(key) };
    const answer = await relayInGroup({ message, server, replacements }, scope, dependencies, notFound);
    if ('result' in answer) {
      await dependencies.resourceUpdates[change](scope.session, { server, uri: key });
    }
    return answerText(message.id, answer);
  };
}

/** The server of a resource, and its own URI for it; not known: it is only guessed. */
type ResourceRoute = OwnThing & { readonly isKnown: boolean };

/**
 * A URI belongs to the server that lists it, or a template of it, or that showed it to the group in a result
 * (docs/protocol.md, rule 47). Any other URI is relayed only if the group has exactly one server with resources.
 * @throws Failure `invalid_params`, `resource_not_found`, `method_not_found` when the group has no resources,
 * `database_unavailable` when only another process can know the server.
 */
async function routeResource(
  { params }: RequestMessage,
  { view, session }: Pick<Scope, 'view' | 'session'>,
  { seenUris }: Pick<MethodDependencies, 'seenUris'>,
): Promise<ResourceRoute> {
  const { features } = view;
  if (!features.can.resources)
    throw new Failure('method_not_found', 'No server of this group has resources.');
  const { uri } = params;
  if (typeof uri !== 'string') throw new Failure('invalid_params', '`params.uri` must be a string.');
  const listed = features.resource(uri);
  if (listed) return { ...listed, isKnown: true };
  const [only, ...others] = features.resourceServers;
  if (only === undefined) throw resourceNotFound(uri);
  // Whoever showed it, nobody else can be asked: the database is not.
  if (others.length === 0) return { server: only, key: uri, isKnown: false };
  const shownBy = await seenUris.serverOf(session.group, uri);
  if (shownBy === undefined || !features.resourceServers.includes(shownBy)) throw resourceNotFound(uri);
  return { server: shownBy, key: uri, isKnown: true };
}

async function routeSubscription(
  message: RequestMessage,
  scope: CallScope,
  dependencies: MethodDependencies,
): Promise<ResourceRoute> {
  const route = await routeResource(message, scope, dependencies);
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

function resourceNotFound(uri: unknown): Failure {
  return new Failure('resource_not_found', 'Resource not found', { details: { uri } });
}

/** A resource whose visible URI is not its server's is answered under the URI that the client requested. */
function withRequestedUri(result: string, own: string, requested: unknown): string {
  if (own === requested) return result;
  const uri = (text: string) => (JSON.parse(text) === own ? JSON.stringify(requested) : text);
  const rename = (contents: string) =>
    elementsOf(contents).map(({ start, end }) => replaceMembers(contents.slice(start, end), 0, { uri }));
  return replaceMembers(result, 0, {
    contents: (contents) => (contents.startsWith('[') ? `[${rename(contents).join(',')}]` : contents),
  });
}
